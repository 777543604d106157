package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CreateTest {

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String maps = "/api/v1/namespaces/" + namespace + "/configmaps";

    @Test
    void gives_what_the_system_gives() {
        Answer made = api.post(
                maps,
                "{'metadata':{'name':'a','uid':'mine','creationTimestamp':'2001-01-01T00:00:00Z'},'data':{'k':'v'}}");
        assertThat(made.code()).isEqualTo(201);
        assertThat(made.text("/kind")).isEqualTo("ConfigMap");
        assertThat(made.text("/apiVersion")).isEqualTo("v1");
        assertThat(made.text("/metadata/namespace")).isEqualTo(namespace);
        assertThat(made.text("/metadata/uid")).hasSize(36);
        assertThat(made.text("/metadata/creationTimestamp"))
                .doesNotStartWith("2001")
                .endsWith("Z");
        assertThat(made.revision()).isPositive();
        assertThat(made.body().path("metadata").has("selfLink")).isFalse();
        assertThat(made.text("/data/k")).isEqualTo("v");
    }

    @Test
    void makes_up_a_name() {
        Answer made = api.post(maps, "{'metadata':{'generateName':'x-'}}");
        assertThat(made.text("/metadata/name")).matches("x-[bcdfghjklmnpqrstvwxz2456789]{5}");
        assertThat(made.text("/metadata/generateName")).isEqualTo("x-");
    }

    @Test
    void wants_a_name() {
        Answer refused = api.post(maps, "{'metadata':{}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.reason()).isEqualTo("Invalid");
        assertThat(refused.message())
                .isEqualTo(
                        "ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is required");
        assertThat(refused.causes())
                .containsExactly("FieldValueRequired metadata.name: Required value: name or generateName is required");
    }

    @Test
    void refuses_a_bad_name() {
        Answer refused = api.post(maps, "{'metadata':{'name':'A_b'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .startsWith(
                        "ConfigMap \"A_b\" is invalid: metadata.name: Invalid value: \"A_b\": a lowercase RFC 1123");
    }

    @Test
    void does_not_make_an_object_twice() {
        api.post(maps, "{'metadata':{'name':'a'}}");
        Answer refused = api.post(maps, "{'metadata':{'name':'a'}}");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.reason()).isEqualTo("AlreadyExists");
        assertThat(refused.message()).isEqualTo("configmaps \"a\" already exists");
        assertThat(refused.body().path("details").toString()).isEqualTo("{\"name\":\"a\",\"kind\":\"configmaps\"}");
    }

    @Test
    void refuses_another_namespace_than_that_of_the_url() {
        Answer refused = api.post(maps, "{'metadata':{'name':'a','namespace':'other'}}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
    }

    @Test
    void refuses_a_namespace_that_does_not_exist() {
        Answer refused = api.post("/api/v1/namespaces/nowhere/configmaps", "{'metadata':{'name':'a'}}");
        assertThat(refused.code()).isEqualTo(404);
        assertThat(refused.message()).isEqualTo("namespaces \"nowhere\" not found");
    }

    @Test
    void refuses_another_kind() {
        Answer refused = api.post(maps, "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'a'}}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).startsWith("Secret in version \"v1\" cannot be handled as a ConfigMap");
    }

    @Test
    void refuses_another_version() {
        Answer refused = api.post(maps, "{'apiVersion':'v2','kind':'ConfigMap','metadata':{'name':'a'}}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).startsWith("ConfigMap in version \"v2\" cannot be handled as a ConfigMap");
    }

    @Test
    void refuses_a_resource_version() {
        Answer refused = api.post(maps, "{'metadata':{'name':'a','resourceVersion':'5'}}");
        assertThat(refused.code()).isEqualTo(500);
        assertThat(refused.message()).isEqualTo("resourceVersion should not be set on objects to be created");
    }

    @Test
    void refuses_broken_json() {
        Answer refused = api.post(maps, "{");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .isEqualTo("the object provided is unrecognized (must be of type ConfigMap): couldn't get"
                        + " version/kind; json parse error: unexpected end of JSON input ({)");
    }

    @Test
    void refuses_a_list_for_an_object() {
        Answer refused = api.post(maps, "[]");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).contains("cannot unmarshal array").endsWith("(5b5d)");
    }

    @Test
    void refuses_an_unknown_media_type() {
        Answer refused = api.send("POST", maps, "text/foo", "{}");
        assertThat(refused.code()).isEqualTo(415);
        assertThat(refused.reason()).isEqualTo("UnsupportedMediaType");
        assertThat(refused.message())
                .startsWith(
                        "the body of the request was in an unknown format - accepted media types include: application/json");
    }

    @Test
    void refuses_what_is_too_large() {
        Answer refused = api.post(maps, "{'data':{'k':'" + "x".repeat(3 * 1024 * 1024 + 10) + "'}}");
        assertThat(refused.code()).isEqualTo(413);
        assertThat(refused.reason()).isEqualTo("RequestEntityTooLarge");
        assertThat(refused.message()).isEqualTo("Request entity too large: limit is 3145728");
    }

    @Test
    void leaves_nothing_behind_in_a_dry_run() {
        Answer tried = api.post(maps + "?dryRun=All", "{'metadata':{'name':'dry'}}");
        assertThat(tried.code()).isEqualTo(201);
        assertThat(tried.text("/metadata/uid")).hasSize(36);
        assertThat(tried.body().path("metadata").has("resourceVersion")).isFalse();
        assertThat(api.get(maps + "/dry").code()).isEqualTo(404);
    }

    @Test
    void refuses_an_unknown_dry_run() {
        Answer refused = api.post(maps + "?dryRun=Some", "{'metadata':{'name':'dry'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo("CreateOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: "
                        + Server.since(36, "[\"Some\"]", "[]string{\"Some\"}") + ": supported values: \"All\"");
    }

    @Test
    void reads_yaml() {
        Answer made = api.send("POST", maps, "application/yaml", "metadata:\n  name: yaml\ndata:\n  k: v\n");
        assertThat(made.code()).isEqualTo(201);
        assertThat(made.text("/data/k")).isEqualTo("v");
    }

    @Test
    void names_the_manager_of_the_fields() {
        Answer made = api.post(maps + "?fieldManager=me", "{'metadata':{'name':'a'},'data':{'k':'v'}}");
        assertThat(made.text("/metadata/managedFields/0/manager")).isEqualTo("me");
        assertThat(made.text("/metadata/managedFields/0/operation")).isEqualTo("Update");
        assertThat(made.body().at("/metadata/managedFields/0/fieldsV1/f:data").toString())
                .isEqualTo("{\".\":{},\"f:k\":{}}");
        assertThat(api.post(maps, "{'metadata':{'name':'b'},'data':{'k':'v'}}")
                        .text("/metadata/managedFields/0/manager"))
                .isEqualTo("suite");
    }

    @Test
    void shortens_what_is_too_long_for_a_prefix() {
        String prefix = "x".repeat(70) + "-";
        Answer made = api.post(maps, "{'metadata':{'generateName':'" + prefix + "'}}");
        assertThat(made.text("/metadata/name")).hasSize(63).startsWith("x".repeat(58));
        Answer refused = api.post(maps, "{'metadata':{'generateName':'X_'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes().toString()).contains("metadata.generateName: Invalid value: \"X_\"");
    }

    @Test
    void prefers_a_name_to_a_prefix() {
        Answer made = api.post(maps, "{'metadata':{'name':'a','generateName':'x-'}}");
        assertThat(made.text("/metadata/name")).isEqualTo("a");
        assertThat(made.text("/metadata/generateName")).isEqualTo("x-");
    }

    @Test
    void refuses_keys_that_are_none() {
        Answer refused = api.post(maps, "{'metadata':{'name':'a'},'data':{'a/b':'x'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes().get(0))
                .startsWith("FieldValueInvalid data[a/b]: Invalid value: \"a/b\": a valid config key must consist of");
    }

    @Test
    void refuses_an_unknown_field_manager() {
        Answer refused = api.post(maps + "?fieldManager=" + "m".repeat(129), "{'metadata':{'name':'a'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("CreateOptions.meta.k8s.io \"\" is invalid: fieldManager: ");
    }

    @Test
    void counts_one_revision_for_all_kinds() {
        long first = api.post(maps, "{'metadata':{'name':'a'}}").revision();
        long second = api.post("/api/v1/namespaces/" + namespace + "/secrets", "{'metadata':{'name':'a'}}")
                .revision();
        assertThat(second).isGreaterThan(first);
    }

    @Test
    void takes_no_version_but_zero() {
        Answer refused = api.post(maps, "{'metadata':{'name':'a','resourceVersion':'5'}}");
        assertThat(refused.code()).isEqualTo(500);
        assertThat(refused.message()).isEqualTo("resourceVersion should not be set on objects to be created");
        assertThat(api.post(maps, "{'metadata':{'name':'a','resourceVersion':'0'}}")
                        .code())
                .isEqualTo(201);
    }

    @Test
    void refuses_finalizers_that_contradict_each_other() {
        Answer refused = api.post(maps, "{'metadata':{'name':'a','finalizers':['orphan','foregroundDeletion']}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("finalizer orphan and foregroundDeletion cannot be both set");
    }
}
