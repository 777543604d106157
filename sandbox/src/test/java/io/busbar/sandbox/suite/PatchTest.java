package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatchTest {

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    private final String pods = "/api/v1/namespaces/" + namespace + "/pods";

    @Test
    void merges() {
        api.post(maps, "{'metadata':{'name':'a'},'data':{'k':'v','l':'w'}}");
        Answer now = api.patch(maps + "/a", Api.MERGE, "{'data':{'k':null,'m':'x'}}");
        assertThat(now.code()).isEqualTo(200);
        assertThat(now.body().path("data").toString()).isEqualTo("{\"l\":\"w\",\"m\":\"x\"}");
    }

    @Test
    void applies_operations() {
        api.post(maps, "{'metadata':{'name':'a'},'data':{'k':'v'}}");
        Answer now = api.patch(
                maps + "/a",
                Api.JSON_PATCH,
                "[{'op':'test','path':'/data/k','value':'v'},{'op':'replace','path':'/data/k','value':'w'}]");
        assertThat(now.text("/data/k")).isEqualTo("w");
    }

    @Test
    void refuses_operations_whose_test_fails() {
        api.post(maps, "{'metadata':{'name':'a'},'data':{'k':'v'}}");
        Answer refused = api.patch(maps + "/a", Api.JSON_PATCH, "[{'op':'test','path':'/data/k','value':'x'}]");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.reason()).isEqualTo("Invalid");
        assertThat(refused.message()).isEqualTo("the server rejected our request due to an error in our request");
    }

    @Test
    void refuses_operations_that_are_none() {
        api.post(maps, "{'metadata':{'name':'a'}}");
        Answer refused = api.patch(maps + "/a", Api.JSON_PATCH, "{}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .isEqualTo(Server.since(
                        36,
                        "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
                        "json: cannot unmarshal object into Go value of type jsonpatch.Patch"));
    }

    @Test
    void merges_lists_by_key() {
        api.post(
                pods,
                "{'metadata':{'name':'p'},'spec':{'schedulerName':'none','containers':[{'name':'c','image':'x'},{'name':'d','image':'y'}]}}");
        Answer now = api.patch(pods + "/p", Api.STRATEGIC, "{'spec':{'containers':[{'name':'d','image':'z'}]}}");
        assertThat(now.code()).isEqualTo(200);
        assertThat(now.text("/spec/containers/0/image")).isEqualTo("x");
        assertThat(now.text("/spec/containers/1/image")).isEqualTo("z");
    }

    @Test
    void refuses_to_change_what_is_immutable() {
        api.post(
                pods,
                "{'metadata':{'name':'p'},'spec':{'schedulerName':'none','containers':[{'name':'c','image':'x'}]}}");
        Answer refused = api.patch(pods + "/p", Api.MERGE, "{'spec':{'hostname':'other'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .startsWith("Pod \"p\" is invalid: spec: Forbidden: pod updates may not change fields other than");
    }

    @Test
    void refuses_an_old_version() {
        api.post(maps, "{'metadata':{'name':'a'}}");
        Answer refused = api.patch(maps + "/a", Api.MERGE, "{'metadata':{'resourceVersion':'1'},'data':{'k':'v'}}");
        assertThat(refused.code()).isEqualTo(409);
    }

    @Test
    void refuses_another_name() {
        api.post(maps, "{'metadata':{'name':'a'}}");
        Answer refused = api.patch(maps + "/a", Api.MERGE, "{'metadata':{'name':'b'}}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).isEqualTo("the name of the object (b) does not match the name on the URL (a)");
    }

    @Test
    void refuses_an_unknown_kind_of_patch() {
        api.post(maps, "{'metadata':{'name':'a'}}");
        Answer refused = api.patch(maps + "/a", "application/json", "{}");
        assertThat(refused.code()).isEqualTo(415);
        assertThat(refused.message()).isEqualTo("415: Unsupported Media Type");
    }

    @Test
    void makes_by_apply_what_is_not_there() {
        Answer made =
                apply("me", "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{'k':'v','l':'w'}}");
        assertThat(made.code()).isEqualTo(201);
        Answer now = apply("me", "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{'l':'w'}}");
        assertThat(now.code()).isEqualTo(200);
        assertThat(now.body().path("data").toString()).isEqualTo("{\"l\":\"w\"}");
        Answer same = apply("me", "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{'l':'w'}}");
        assertThat(same.revision()).isEqualTo(now.revision());
    }

    @Test
    void tells_conflicts_between_managers() {
        apply("me", "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{'k':'v'}}");
        String other = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{'k':'other'}}";
        Answer refused = apply("you", other);
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.message()).isEqualTo("Apply failed with 1 conflict: conflict with \"me\": .data.k");
        assertThat(refused.causes()).containsExactly("FieldManagerConflict .data.k: conflict with \"me\"");
        Answer forced = apply("you&force=true", other);
        assertThat(forced.code()).isEqualTo(200);
        assertThat(forced.text("/data/k")).isEqualTo("other");
    }

    @Test
    void wants_a_manager_for_an_apply() {
        Answer refused = api.patch(maps + "/a", Api.APPLY, "{'apiVersion':'v1','kind':'ConfigMap'}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo(
                        "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for apply"
                                + " patch");
    }

    private Answer apply(String manager, String configuration) {
        return api.patch(maps + "/a?fieldManager=" + manager, Api.APPLY, configuration);
    }
}
