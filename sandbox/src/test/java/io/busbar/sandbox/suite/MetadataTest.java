package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

class MetadataTest {

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    private final String deployments = "/apis/apps/v1/namespaces/" + namespace + "/deployments";

    private Answer deployment() {
        return api.post(
                deployments,
                "{'metadata':{'name':'d'},'spec':{'replicas':0,'paused':true,'selector':{'matchLabels':{'a':'b'}},"
                        + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'x'}]}}}}");
    }

    @Test
    void has_labels_of_a_certain_form() {
        Answer refused = api.post(
                maps, "{'metadata':{'name':'a','labels':{'a b':'x','ok':'-','long':'" + "x".repeat(64) + "'}}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes().toString())
                .contains(
                        "FieldValueInvalid metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric")
                .contains(
                        "FieldValueInvalid metadata.labels: Invalid value: \"-\": a valid label must be an empty string or")
                .contains("must be no more than 63 " + Server.since(36, "bytes", "characters"));
    }

    @Test
    void has_annotations_of_a_certain_form_and_size() {
        Answer refused = api.post(maps, "{'metadata':{'name':'a','annotations':{'a/b/c':'x'}}}");
        assertThat(refused.causes().toString())
                .contains("FieldValueInvalid metadata.annotations: Invalid value: \"a/b/c\": "
                        + Server.since(36, "a valid label key", "a qualified name") + " must consist of");
        Answer large = api.post(maps, "{'metadata':{'name':'a','annotations':{'k':'" + "x".repeat(256 * 1024) + "'}}}");
        assertThat(large.code()).isEqualTo(422);
        assertThat(large.causes())
                .containsExactly("FieldValueTooLong metadata.annotations: Too long: "
                        + Server.since(36, "may not be more than", "must have at most") + " 262144 bytes");
    }

    @Test
    void has_texts_for_labels() {
        Answer refused = api.post(maps, "{'metadata':{'name':'a','labels':{'a':1}}}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.reason()).isEqualTo("BadRequest");
    }

    @Test
    void names_owners_in_full() {
        Answer refused = api.post(maps, "{'metadata':{'name':'a','ownerReferences':[{'kind':'Pod','name':'p'}]}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes().toString())
                .contains("metadata.ownerReferences.apiVersion: Invalid value: \"\": version must not be empty")
                .contains("metadata.ownerReferences.uid: Invalid value: \"\": " + Server.since(36, "", "uid ")
                        + "must not be empty");
    }

    @Test
    void is_owned_by_no_event() {
        Answer refused = api.post(
                maps,
                "{'metadata':{'name':'a','ownerReferences':[{'apiVersion':'v1','kind':'Event','name':'e','uid':'u'}]}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).endsWith(": /v1, Kind=Event is disallowed from being an owner");
    }

    @Test
    void has_one_controller() {
        String owner = "{'apiVersion':'v1','kind':'Pod','name':'%1$s','uid':'%1$s','controller':true}";
        Answer refused = api.post(
                maps,
                "{'metadata':{'name':'a','ownerReferences':[" + owner.formatted("p") + "," + owner.formatted("q")
                        + "]}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .contains("Only one reference can have Controller set to true. Found \"true\" in references for "
                        + Server.since(36, "Pod/p and Pod/q", "p and q"));
    }

    @Test
    void has_finalizers_with_a_domain() {
        Answer refused = api.post(maps, "{'metadata':{'name':'a','finalizers':['plain']}}");
        assertThat(refused.causes())
                .containsExactly(
                        "FieldValueInvalid metadata.finalizers[0]: Invalid value: \"plain\": name is neither a standard"
                                + " finalizer name nor is it fully qualified");
    }

    @Test
    void counts_generations_where_there_is_a_spec_alone() {
        assertThat(api.post(maps, "{'metadata':{'name':'a'}}")
                        .body()
                        .path("metadata")
                        .has("generation"))
                .isFalse();
        assertThat(api.post(maps, "{'metadata':{'name':'b','generation':7}}").text("/metadata/generation"))
                .as("nobody counts")
                .isEqualTo("7");
        assertThat(deployment().text("/metadata/generation")).isEqualTo("1");
        Answer annotated = api.patch(deployments + "/d", Api.MERGE, "{'metadata':{'annotations':{'x':'y'}}}");
        assertThat(annotated.text("/metadata/generation")).isEqualTo("2");
        Answer pretended = api.patch(deployments + "/d", Api.MERGE, "{'metadata':{'generation':9}}");
        assertThat(pretended.text("/metadata/generation")).isEqualTo("2");
    }

    @Test
    void keeps_what_the_system_gave() {
        Answer made = api.post(maps, "{'metadata':{'name':'a'}}");
        Answer now = api.patch(
                maps + "/a",
                Api.MERGE,
                "{'metadata':{'creationTimestamp':'2001-01-01T00:00:00Z','selfLink':'/x'},'data':{'k':'v'}}");
        assertThat(now.code()).as(now.message()).isEqualTo(200);
        assertThat(now.text("/metadata/creationTimestamp")).isEqualTo(made.text("/metadata/creationTimestamp"));
        assertThat(now.body().path("metadata").has("selfLink")).isFalse();
        Answer refused = api.patch(maps + "/a", Api.MERGE, "{'metadata':{'deletionTimestamp':'2001-01-01T00:00:00Z'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .containsOnly("FieldValueInvalid metadata.deletionTimestamp: Invalid value: "
                        + Server.since(36, "\"2001-01-01T00:00:00Z\"", "2001-01-01 00:00:00 +0000 UTC")
                        + ": field is immutable");
    }

    @Test
    void tells_who_wrote_what() {
        api.post(maps + "?fieldManager=one", "{'metadata':{'name':'a'},'data':{'k':'v'}}");
        Answer now = api.patch(maps + "/a?fieldManager=two", Api.MERGE, "{'data':{'k':'w','l':'x'}}");
        JsonNode managers = now.body().at("/metadata/managedFields");
        assertThat(managers).hasSize(2);
        assertThat(managers.findValuesAsText("manager")).containsExactly("one", "two");
        assertThat(managers.at("/0/fieldsV1").toString()).isEqualTo("{\"f:data\":{}}");
        assertThat(managers.at("/1/fieldsV1").toString()).isEqualTo("{\"f:data\":{\"f:k\":{},\"f:l\":{}}}");
        assertThat(managers.at("/1/operation").asText()).isEqualTo("Update");
        assertThat(managers.at("/1/apiVersion").asText()).isEqualTo("v1");
        assertThat(managers.at("/1/fieldsType").asText()).isEqualTo("FieldsV1");
        assertThat(managers.at("/1/time").asText()).endsWith("Z");
    }

    @Test
    void forgets_who_wrote_when_told_to() {
        api.post(maps + "?fieldManager=one", "{'metadata':{'name':'a'},'data':{'k':'v'}}");
        Answer now = api.patch(
                maps + "/a?fieldManager=two", Api.MERGE, "{'metadata':{'managedFields':[{}]},'data':{'l':'x'}}");
        assertThat(now.code()).as(now.message()).isEqualTo(200);
        assertThat(now.body().at("/metadata/managedFields").findValuesAsText("manager"))
                .doesNotContain("one");
    }

    @Test
    @Since(value = "1.22", why = "the label that names a namespace")
    void labels_a_namespace_with_its_name() {
        assertThat(api.get("/api/v1/namespaces/" + namespace)
                        .body()
                        .at("/metadata/labels/kubernetes.io~1metadata.name")
                        .asText())
                .isEqualTo(namespace);
    }

    @Test
    void gives_a_pod_time_to_end() {
        String pods = "/api/v1/namespaces/" + namespace + "/pods";
        api.post(
                pods,
                "{'metadata':{'name':'p'},'spec':{'nodeName':'nowhere','containers':[{'name':'c','image':'x'}]}}");
        Answer marked = api.delete(pods + "/p?gracePeriodSeconds=100");
        assertThat(marked.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("100");
        assertThat(marked.text("/metadata/deletionTimestamp")).isNotEmpty();
        Answer sooner = api.delete(pods + "/p?gracePeriodSeconds=50");
        assertThat(sooner.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("50");
        Answer later = api.delete(pods + "/p?gracePeriodSeconds=70");
        assertThat(later.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("50");
        api.delete(pods + "/p?gracePeriodSeconds=0");
        assertThat(api.get(pods + "/p").code()).isEqualTo(404);
    }
}
