package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ListTest {

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String secrets = "/api/v1/namespaces/" + namespace + "/secrets";

    private void three() {
        api.post(secrets, "{'metadata':{'name':'b','labels':{'app':'x','tier':'one','set':'mine'}},'type':'t/one'}");
        api.post(secrets, "{'metadata':{'name':'a','labels':{'app':'y','tier':'one','set':'mine'}},'type':'t/two'}");
        api.post(secrets, "{'metadata':{'name':'c','labels':{'app':'z','set':'mine'}},'type':'t/two'}");
    }

    private List<String> selected(String query) {
        Answer answer = api.get(secrets + "?" + query);
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
        return answer.names();
    }

    @Test
    void lists_in_order_of_names() {
        three();
        Answer list = api.get(secrets + "?labelSelector=set%3Dmine");
        assertThat(list.text("/kind")).isEqualTo("SecretList");
        assertThat(list.names()).containsExactly("a", "b", "c");
        assertThat(list.body().at("/items/0").has("kind")).isFalse();
        assertThat(list.revision()).isPositive();
    }

    @Test
    void selects_by_labels() {
        three();
        assertThat(selected("labelSelector=app%3Dx")).containsExactly("b");
        assertThat(selected("labelSelector=set,app!%3Dx")).containsExactly("a", "c");
        assertThat(selected("labelSelector=app+in+(x,z)")).containsExactly("b", "c");
        assertThat(selected("labelSelector=set,app+notin+(x,z)")).containsExactly("a");
        assertThat(selected("labelSelector=tier")).containsExactly("a", "b");
        assertThat(selected("labelSelector=set,!tier")).containsExactly("c");
    }

    @Test
    void selects_by_fields() {
        three();
        assertThat(selected("fieldSelector=metadata.name%3Da")).containsExactly("a");
        assertThat(selected("fieldSelector=type%3Dt/two")).containsExactly("a", "c");
    }

    @Test
    void refuses_bad_selectors() {
        Answer labels = api.get(secrets + "?labelSelector=a+b+c");
        assertThat(labels.code()).isEqualTo(400);
        assertThat(labels.message()).startsWith("unable to parse requirement: found 'b', expected: ");
        Answer fields = api.get(secrets + "?fieldSelector=spec.x%3Db");
        assertThat(fields.code()).isEqualTo(400);
        assertThat(fields.message()).isEqualTo("field label not supported: spec.x");
    }

    @Test
    void pages_as_of_the_first_page() {
        String leases = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
        for (String name : List.of("a", "b", "c", "d")) {
            api.post(leases, "{'metadata':{'name':'" + name + "'}}");
        }
        Answer first = api.get(leases + "?limit=3");
        assertThat(first.names()).containsExactly("a", "b", "c");
        assertThat(first.text("/metadata/remainingItemCount")).isEqualTo("1");
        api.delete(leases + "/d");
        api.post(leases, "{'metadata':{'name':'e'}}");
        Answer rest = api.get(leases + "?limit=3&continue=" + first.text("/metadata/continue"));
        assertThat(rest.names()).containsExactly("d");
        assertThat(rest.revision()).isEqualTo(first.revision());
        assertThat(rest.text("/metadata/continue")).isEmpty();
    }

    @Test
    void refuses_a_token_that_is_none() {
        Answer refused = api.get(secrets + "?continue=x");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .isEqualTo("invalid continue token: continue key is not valid: illegal base64 data at input byte 0");
    }

    @Test
    void finds_nothing_in_a_namespace_that_does_not_exist() {
        Answer list = api.get("/api/v1/namespaces/nowhere/secrets");
        assertThat(list.code()).isEqualTo(200);
        assertThat(list.body().path("items").isEmpty()).isTrue();
    }

    @Test
    void refuses_numbers_that_are_none() {
        assertThat(api.get(secrets + "?limit=x").message())
                .isEqualTo("strconv.ParseInt: parsing \"x\": invalid syntax");
    }

    @Test
    void cannot_tell_the_future() {
        Answer refused = api.get(secrets + "?resourceVersion=99999999");
        assertThat(refused.code()).isEqualTo(504);
        assertThat(refused.reason()).isEqualTo("Timeout");
        assertThat(refused.message()).startsWith("Timeout: Too large resource version: 99999999, current: ");
        assertThat(refused.causes()).containsExactly("ResourceVersionTooLarge : Too large resource version");
    }

    @Test
    void remembers_the_past() {
        Answer made = api.post(secrets, "{'metadata':{'name':'a','labels':{'set':'mine'}}}");
        api.delete(secrets + "/a");
        String exact = "labelSelector=set%3Dmine&resourceVersionMatch=Exact&resourceVersion=" + made.revision();
        assertThat(selected(exact)).containsExactly("a");
        assertThat(selected("labelSelector=set%3Dmine")).isEmpty();
    }

    @Test
    void pages_as_of_a_version_that_is_named_and_all_at_once_of_any() {
        Answer made = api.post(secrets, "{'metadata':{'name':'a','labels':{'set':'mine'}}}");
        api.post(secrets, "{'metadata':{'name':'b','labels':{'set':'mine'}}}");
        assertThat(selected("labelSelector=set%3Dmine&limit=9&resourceVersion=" + made.revision()))
                .containsExactly("a");
        assertThat(selected("labelSelector=set%3Dmine&limit=1&resourceVersion=0"))
                .containsExactlyInAnyOrder("a", "b");
        Answer first = api.get(secrets + "?labelSelector=set%3Dmine&limit=1");
        String rest = secrets + "?labelSelector=set%3Dmine&continue=" + first.text("/metadata/continue");
        assertThat(api.get(rest + "&resourceVersion=0").names()).containsExactly("b");
        Answer refused = api.get(rest + "&resourceVersion=" + first.revision());
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).isEqualTo("specifying resource version is not allowed when using continue");
    }

    @Test
    void refuses_versions_that_are_none() {
        Answer refused = api.get(secrets + "?resourceVersion=x");
        assertThat(refused.code()).isEqualTo(Server.since(36, 400, 500));
        assertThat(refused.message())
                .endsWith("resourceVersion: Invalid value: \"x\": strconv.ParseUint: parsing \"x\": invalid syntax");
    }

    @Test
    void refuses_a_match_without_a_version() {
        Answer refused = api.get(secrets + "?resourceVersionMatch=Exact");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo("ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden:"
                        + " resourceVersionMatch is forbidden unless resourceVersion is provided");
    }

    @Test
    void gives_metadata_alone() {
        api.post(secrets, "{'metadata':{'name':'a','labels':{'set':'mine'}},'type':'t/one'}");
        Answer list = api.get(
                secrets + "?labelSelector=set%3Dmine",
                "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
        assertThat(list.text("/kind")).isEqualTo("PartialObjectMetadataList");
        assertThat(list.text("/items/0/kind")).isEqualTo("PartialObjectMetadata");
        assertThat(list.text("/items/0/apiVersion")).isEqualTo("meta.k8s.io/v1");
        assertThat(list.text("/items/0/metadata/name")).isEqualTo("a");
        assertThat(list.body().at("/items/0").has("type")).isFalse();
    }

    @Test
    void gives_a_table() {
        api.post(secrets, "{'metadata':{'name':'a','labels':{'set':'mine'}},'type':'t/one','data':{'k':'dg=='}}");
        Answer table = api.get(secrets + "?labelSelector=set%3Dmine", "application/json;as=Table;g=meta.k8s.io;v=v1");
        assertThat(table.text("/kind")).isEqualTo("Table");
        assertThat(table.body().findValuesAsText("name").subList(0, 4)).containsExactly("Name", "Type", "Data", "Age");
        assertThat(table.body().at("/rows/0/cells").toString()).startsWith("[\"a\",\"t/one\",1,\"");
        assertThat(table.text("/rows/0/object/kind")).isEqualTo("PartialObjectMetadata");
    }

    @Test
    void wants_numbers_where_they_are_due() {
        Answer refused = api.get(secrets + "?timeoutSeconds=x");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).isEqualTo("strconv.ParseInt: parsing \"x\": invalid syntax");
    }
}
