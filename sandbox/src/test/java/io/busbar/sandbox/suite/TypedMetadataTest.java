package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Metadata of the wrong types. */
class TypedMetadataTest {

    private final Api api = Server.api();
    private final String maps = "/api/v1/namespaces/" + api.newNamespace() + "/configmaps";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'x'",
                "[]",
                "{'name':5}",
                "{'name':'a','finalizers':{'a':'b'}}",
                "{'name':'a','finalizers':[1]}",
                "{'name':'a','labels':{'a':1}}",
                "{'name':'a','annotations':['x']}",
                "{'name':'a','ownerReferences':[1]}",
                "{'name':'a','ownerReferences':[{'controller':'yes'}]}",
                "{'name':'a','generation':'x'}",
                "{'name':'a','creationTimestamp':'x'}"
            })
    void are_refused_when_an_object_is_made(String metadata) {
        Answer answer = api.post(maps, "{'metadata':" + metadata + "}");
        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.body().path("reason").asText()).isEqualTo("BadRequest");
        assertThat(answer.body().path("message").asText())
                .startsWith("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{'name':null}", "{}"})
    void a_name_that_is_null_is_missing(String metadata) {
        Answer answer = api.post(maps, "{'metadata':" + metadata + "}");
        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.body().at("/details/causes/0/field").asText()).isEqualTo("metadata.name");
    }

    @Test
    void nulls_are_empty_and_unknown_fields_are_dropped() {
        Answer answer = api.post(
                maps,
                "{'metadata':{'name':'nulls','finalizers':null,'annotations':null,'labels':{'a':null},'unknown':5}}");
        assertThat(answer.code()).isEqualTo(201);
        assertThat(answer.body().at("/metadata/labels/a").asText("none")).isEmpty();
        assertThat(answer.body().path("metadata").has("unknown")).isFalse();
        assertThat(answer.body().path("metadata").has("annotations")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'metadata':{'labels':{'a':1}}}", "{'metadata':{'finalizers':'x'}}"})
    void are_refused_when_a_patch_makes_them(String patch) {
        api.post(maps, "{'metadata':{'name':'patched'}}");
        Answer answer = api.patch(maps + "/patched", Api.MERGE, patch);
        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.body().at("/details/causes/0/field").asText()).isEqualTo("patch");
    }
}
