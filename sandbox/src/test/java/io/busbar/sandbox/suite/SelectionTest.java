package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is listed, by fields, by pages, and in which form. */
class SelectionTest {

    private static final String TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String pods = "/api/v1/namespaces/" + namespace + "/pods";
    private final String leases = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";

    private void pod(String name, String spec) {
        Answer made = api.post(
                pods,
                "{'metadata':{'name':'" + name + "'},'spec':{'schedulerName':'none',"
                        + "'containers':[{'name':'c','image':'x'}]" + spec + "}}");
        assertThat(made.code()).as(made.message()).isEqualTo(201);
    }

    @Test
    void goes_by_the_fields_of_a_kind() {
        pod("a", "");
        pod("b", ",'restartPolicy':'Never'");
        assertThat(api.get(pods + "?fieldSelector=spec.restartPolicy%3DNever").names())
                .containsExactly("b");
        assertThat(api.get(pods + "?fieldSelector=status.phase%3DPending,metadata.name!%3Db")
                        .names())
                .containsExactly("a");
        assertThat(api.get(pods + "?fieldSelector=spec.nodeName%3D").names()).containsExactly("a", "b");
        assertThat(api.get(pods + "?fieldSelector=metadata.namespace%3D" + namespace)
                        .names())
                .containsExactly("a", "b");
        assertThat(api.get("/api/v1/pods?fieldSelector=metadata.namespace%3D" + namespace)
                        .names())
                .containsExactly("a", "b");
    }

    @Test
    void understands_labels_that_are_not_there() {
        api.post(leases, "{'metadata':{'name':'a','labels':{'x':'1'}}}");
        api.post(leases, "{'metadata':{'name':'b'}}");
        assertThat(api.get(leases + "?labelSelector=x!%3D1").names()).containsExactly("b");
        assertThat(api.get(leases + "?labelSelector=x+notin+(2)").names()).containsExactly("a", "b");
        assertThat(api.get(leases + "?labelSelector=x%3D%3D1").names()).containsExactly("a");
        assertThat(api.get(leases + "?labelSelector=x+in+(1,),x").names()).containsExactly("a");
    }

    @Test
    void counts_the_rest_only_of_everything() {
        for (String name : List.of("a", "b", "c")) {
            api.post(leases, "{'metadata':{'name':'" + name + "','labels':{'x':'1'}}}");
        }
        Answer all = api.get(leases + "?limit=1");
        assertThat(all.text("/metadata/remainingItemCount")).isEqualTo("2");
        Answer some = api.get(leases + "?limit=1&labelSelector=x%3D1");
        assertThat(some.names()).containsExactly("a");
        assertThat(some.text("/metadata/continue")).isNotEmpty();
        assertThat(some.body().path("metadata").has("remainingItemCount")).isFalse();
    }

    /** Of Kubernetes 1.36, whose gate ShardedListAndWatch is off unless somebody opens it. */
    @Test
    void knows_no_ranges_of_objects_without_their_gate() {
        api.post(leases, "{'metadata':{'name':'a'}}");
        Answer all = api.get(leases + "?shardSelector=shardRange(");
        assertThat(all.code()).isEqualTo(200);
        assertThat(all.names()).containsExactly("a");
        assertThat(all.body().path("metadata").has("shardInfo")).isFalse();
    }

    @Test
    void is_not_older_than_wanted() {
        Answer made = api.post(leases, "{'metadata':{'name':'a'}}");
        Answer list = api.get(leases + "?resourceVersionMatch=NotOlderThan&resourceVersion=" + made.revision());
        assertThat(list.names()).containsExactly("a");
        assertThat(list.revision()).isGreaterThanOrEqualTo(made.revision());
        assertThat(api.get(leases + "/a?resourceVersion=0").code()).isEqualTo(200);
        assertThat(api.get(leases + "?resourceVersionMatch=Sometimes&resourceVersion=1")
                        .code())
                .isEqualTo(422);
    }

    @Test
    void gives_the_metadata_of_one() {
        api.post(leases, "{'metadata':{'name':'a'},'spec':{'holderIdentity':'me'}}");
        Answer one = api.get(leases + "/a", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
        assertThat(one.text("/kind")).isEqualTo("PartialObjectMetadata");
        assertThat(one.text("/apiVersion")).isEqualTo("meta.k8s.io/v1");
        assertThat(one.text("/metadata/name")).isEqualTo("a");
        assertThat(one.body().has("spec")).isFalse();
    }

    @Test
    void gives_a_table_with_as_much_as_wanted() {
        api.post(leases, "{'metadata':{'name':'a'},'spec':{'holderIdentity':'me'}}");
        Answer bare = api.get(leases + "?includeObject=None", TABLE);
        assertThat(bare.body().at("/rows/0/object").isNull()).isTrue();
        Answer full = api.get(leases + "?includeObject=Object", TABLE);
        assertThat(full.text("/rows/0/object/spec/holderIdentity")).isEqualTo("me");
        Answer one = api.get(leases + "/a", TABLE);
        assertThat(one.text("/kind")).isEqualTo("Table");
        assertThat(one.body().at("/rows").size()).isEqualTo(1);
        assertThat(one.body().at("/rows/0/cells/0").asText()).isEqualTo("a");
    }

    @Test
    void falls_back_to_a_form_that_there_is() {
        api.post(leases, "{'metadata':{'name':'a'}}");
        Answer plain = api.get(leases + "/a", "application/json;as=Nonsense;g=x;v=v1, application/json");
        assertThat(plain.text("/kind")).isEqualTo("Lease");
        assertThat(api.get(leases + "/a", "application/json;as=Table;g=meta.k8s.io;v=v7")
                        .code())
                .isEqualTo(406);
    }

    @Test
    void deletes_what_was_listed() {
        api.post(leases, "{'metadata':{'name':'a'}}");
        api.post(leases, "{'metadata':{'name':'b','finalizers':['x.y/z']}}");
        Answer gone = api.delete(leases);
        assertThat(gone.code()).isEqualTo(200);
        assertThat(gone.names()).containsExactly("a", "b");
        assertThat(api.get(leases).names()).containsExactly("b");
        api.patch(leases + "/b", Api.MERGE, "{'metadata':{'finalizers':null}}");
        assertThat(api.get(leases).names()).isEmpty();
    }
}
