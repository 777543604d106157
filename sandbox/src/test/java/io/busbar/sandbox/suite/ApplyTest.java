package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** Server-side apply: who owns what, and what becomes of what nobody wants. */
class ApplyTest {

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String map = "/api/v1/namespaces/" + namespace + "/configmaps/a";
    private final String deployment = "/apis/apps/v1/namespaces/" + namespace + "/deployments/d";

    private Answer apply(String url, String manager, String configuration) {
        return api.patch(url + "?fieldManager=" + manager, Api.APPLY, configuration);
    }

    private static String data(String data) {
        return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{" + data + "}}";
    }

    private static String deployment(String spec, String... containers) {
        return "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d'},'spec':{" + spec
                + "'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':["
                + String.join(",", containers) + "]}}}}";
    }

    @Test
    void shares_what_managers_agree_on() {
        apply(map, "me", data("'k':'v'"));
        assertThat(apply(map, "you", data("'k':'v','l':'w'")).code()).isEqualTo(200);
        Answer left = apply(map, "you", data("'l':'w'"));
        assertThat(left.body().path("data").toString()).as("it is still mine").isEqualTo("{\"k\":\"v\",\"l\":\"w\"}");
        Answer gone = apply(map, "me", data("'m':'x'"));
        assertThat(gone.body().path("data").toString()).isEqualTo("{\"l\":\"w\",\"m\":\"x\"}");
    }

    /** How the Java Operator SDK makes what must not be there yet. */
    @Test
    void creates_in_spite_of_a_resource_version_and_does_not_change_another_one() {
        String first =
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','resourceVersion':'1'},'data':{'k':'v'}}";

        Answer created = apply(map, "me", first);
        assertThat(created.code()).as(created.message()).isEqualTo(201);
        assertThat(created.body().at("/metadata/resourceVersion").asText()).isNotEqualTo("1");

        Answer refused = apply(map, "me", first.replace("'k':'v'", "'k':'w'"));
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.message()).contains("the object has been modified");

        Answer broken = apply(
                map.substring(0, map.length() - 1) + "b",
                "me",
                first.replace("'name':'a','resourceVersion':'1'", "'name':'b','resourceVersion':'x'"));
        assertThat(broken.code()).isEqualTo(500);
        assertThat(broken.message()).isEqualTo("strconv.ParseUint: parsing \"x\": invalid syntax");
    }

    @Test
    void conflicts_with_what_was_updated() {
        api.post(map.substring(0, map.length() - 2) + "?fieldManager=editor", data("'k':'v'"));
        Answer refused = apply(map, "me", data("'k':'w'"));
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.message()).startsWith("Apply failed with 1 conflict: conflict with \"editor\" using v1");
        assertThat(refused.causes().get(0))
                .startsWith("FieldManagerConflict .data.k: conflict with \"editor\" using v1");
        Answer taken = apply(map, "me&force=true", data("'k':'w'"));
        JsonNode managers = taken.body().at("/metadata/managedFields");
        assertThat(managers.findValuesAsText("manager")).contains("me");
        assertThat(managers.at("/0/operation").asText()).isEqualTo("Apply");
    }

    @Test
    void merges_lists_by_key() {
        apply(deployment, "me", deployment("'replicas':0,", "{'name':'c','image':'x'}"));
        Answer both = apply(deployment, "you", deployment("", "{'name':'d','image':'y'}"));
        assertThat(both.code()).as(both.message()).isEqualTo(200);
        assertThat(both.body().at("/spec/template/spec/containers").findValuesAsText("name"))
                .containsExactly("c", "d");
        Answer left = apply(deployment, "you", deployment("", "{'name':'e','image':'z'}"));
        assertThat(left.body().at("/spec/template/spec/containers").findValuesAsText("name"))
                .containsExactly("c", "e");
    }

    @Test
    void leaves_to_others_what_it_gives_up() {
        apply(deployment, "me", deployment("'replicas':0,", "{'name':'c','image':'x'}"));
        api.patch(deployment + "?fieldManager=scaler", Api.MERGE, "{'spec':{'replicas':3,'paused':true}}");
        Answer refused = apply(deployment, "me", deployment("'replicas':0,", "{'name':'c','image':'x'}"));
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.message()).contains("conflict with \"scaler\" using apps/v1: .spec.replicas");
        Answer given = apply(deployment, "me", deployment("", "{'name':'c','image':'x'}"));
        assertThat(given.code()).isEqualTo(200);
        assertThat(given.text("/spec/replicas")).isEqualTo("3");
    }

    @Test
    void keeps_the_name_when_all_other_metadata_is_given_up() {
        String labelled =
                data("'k':'v'").replace("'name':'a'", "'name':'a','labels':{'a':'b'},'annotations':{'c':'d'}");
        assertThat(apply(map, "me", labelled).text("/metadata/labels/a")).isEqualTo("b");
        Answer bare = apply(map, "me", data("'k':'v'"));
        assertThat(bare.code()).as(bare.message()).isEqualTo(200);
        assertThat(bare.text("/metadata/name")).isEqualTo("a");
        assertThat(bare.body().path("metadata").has("labels")).isFalse();
        assertThat(bare.body().path("metadata").has("annotations")).isFalse();
    }

    @Test
    @Since(
            value = "1.21",
            why =
                    "an object inside an object, given up with all of its fields, leaves nothing behind; 1.20 keeps it, empty")
    void leaves_no_empty_object_of_what_is_given_up_whole() {
        String option = "'securityContext':{'seLinuxOptions':{'level':'s0'}}";
        apply(deployment, "me", deployment("'replicas':0,", "{'name':'c','image':'x'," + option + "}"));
        Answer bare = apply(deployment, "me", deployment("'replicas':0,", "{'name':'c','image':'x'}"));
        assertThat(bare.code()).as(bare.message()).isEqualTo(200);
        assertThat(bare.body().at("/spec/template/spec/containers/0").has("securityContext"))
                .as(bare.body().toString())
                .isFalse();
    }

    @Test
    void goes_back_to_defaults() {
        apply(deployment, "me", deployment("'replicas':0,'minReadySeconds':5,", "{'name':'c','image':'x'}"));
        Answer now = apply(deployment, "me", deployment("'paused':true,", "{'name':'c','image':'x'}"));
        assertThat(now.text("/spec/replicas")).isEqualTo("1");
        assertThat(now.body().path("spec").has("minReadySeconds")).isFalse();
    }

    @Test
    void leaves_nothing_behind_in_a_dry_run() {
        Answer tried = apply(map, "me&dryRun=All", data("'k':'v'"));
        assertThat(tried.code()).isEqualTo(201);
        assertThat(api.get(map).code()).isEqualTo(404);
        Answer made = apply(map, "me", data("'k':'v'"));
        assertThat(apply(map, "me&dryRun=All", data("'k':'w'")).text("/data/k")).isEqualTo("w");
        assertThat(api.get(map).revision()).isEqualTo(made.revision());
    }

    @Test
    void keeps_the_status_to_its_subresource() {
        apply(deployment, "me", deployment("'replicas':0,'paused':true,", "{'name':'c','image':'x'}"));
        Answer status = apply(
                deployment + "/status",
                "controller",
                "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d'},'status':{'collisionCount':7}}");
        assertThat(status.code()).as(status.message()).isEqualTo(200);
        assertThat(status.text("/status/collisionCount")).isEqualTo("7");
        Answer again = apply(deployment, "me", deployment("'replicas':0,'paused':true,", "{'name':'c','image':'x'}"));
        assertThat(again.code()).isEqualTo(200);
        assertThat(again.text("/status/collisionCount")).isEqualTo("7");
    }

    @Test
    @Since(value = "1.22", why = "owning only what a request can change")
    void owns_nothing_that_a_request_cannot_change() {
        String stranger =
                "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d'},'spec':{'paused':false},'status':{'collisionCount':7}}";
        apply(deployment, "me", deployment("'replicas':0,'paused':true,", "{'name':'c','image':'x'}"));
        Answer status = apply(deployment + "/status", "controller", stranger);
        assertThat(status.text("/spec/paused")).isEqualTo("true");
        assertThat(fieldsOf(status, "controller").has("f:spec"))
                .as("owned: " + fieldsOf(status, "controller"))
                .isFalse();

        String whole = status.body().toString().replace("\"collisionCount\":7", "\"collisionCount\":9");
        Answer put = api.put(
                deployment + "?fieldManager=editor",
                whole.replace("\"paused\":true", "\"paused\":true,\"minReadySeconds\":5"));
        assertThat(put.code()).as(put.message()).isEqualTo(200);
        assertThat(put.text("/status/collisionCount")).isEqualTo("7");
        assertThat(fieldsOf(put, "editor").at("/f:spec/f:minReadySeconds").isMissingNode())
                .isFalse();
        assertThat(fieldsOf(put, "editor").has("f:status"))
                .as("owned: " + fieldsOf(put, "editor"))
                .isFalse();
        assertThat(fieldsOf(put, "controller").at("/f:status/f:collisionCount").isMissingNode())
                .as("its owner has kept it: " + put.body().at("/metadata/managedFields"))
                .isFalse();
    }

    @Test
    @Since(value = "1.22", why = "field managers of scale")
    void owns_the_replicas_of_a_scale() {
        String scale = "{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{'name':'d'},'spec':{'replicas':%d}}";
        apply(deployment, "me", deployment("'replicas':2,'paused':true,", "{'name':'c','image':'x'}"));
        Answer refused = apply(deployment + "/scale", "scaler", scale.formatted(3));
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.message()).isEqualTo("Apply failed with 1 conflict: conflict with \"me\": .spec.replicas");
        Answer shared = apply(deployment + "/scale", "scaler", scale.formatted(2));
        assertThat(shared.code()).as(shared.message()).isEqualTo(200);
        Answer taken = apply(deployment + "/scale", "scaler&force=true", scale.formatted(3));
        assertThat(taken.text("/spec/replicas")).isEqualTo("3");

        Answer now = api.get(deployment);
        assertThat(now.text("/spec/replicas")).isEqualTo("3");
        assertThat(fieldsOf(now, "me").at("/f:spec/f:replicas").isMissingNode())
                .as("taken from who had it")
                .isTrue();
        assertThat(now.body().at("/metadata/managedFields").findValuesAsText("subresource"))
                .contains("scale");
        Answer back = apply(deployment, "me", deployment("'replicas':2,'paused':true,", "{'name':'c','image':'x'}"));
        assertThat(back.message())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"scaler\" with subresource \"scale\":"
                        + " .spec.replicas");
        Answer given = apply(deployment, "me", deployment("'paused':true,", "{'name':'c','image':'x'}"));
        assertThat(given.text("/spec/replicas")).as("the scaler wants it").isEqualTo("3");
    }

    private static JsonNode fieldsOf(Answer answer, String manager) {
        for (JsonNode entry : answer.body().at("/metadata/managedFields")) {
            if (entry.path("manager").asText().equals(manager)) {
                return entry.path("fieldsV1");
            }
        }
        throw new AssertionError(
                "no fields of " + manager + ": " + answer.body().at("/metadata/managedFields"));
    }

    @Test
    void finds_no_status_of_what_is_not_there() {
        Answer refused = apply(
                deployment + "/status",
                "controller",
                "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d'},'status':{'replicas':1}}");
        assertThat(refused.code()).isEqualTo(404);
    }

    @Test
    void refuses_what_it_cannot_read() {
        Answer managed = apply(
                map,
                "me",
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','managedFields':[{'manager':'x'}]}}");
        assertThat(managed.code()).isEqualTo(400);
        assertThat(managed.message()).contains("managedFields must be nil");
        Answer other = apply(map, "me", "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'b'}}");
        assertThat(other.code()).isEqualTo(400);
        assertThat(other.message()).isEqualTo("the name of the object (b) does not match the name on the URL (a)");
        Answer broken = apply(map, "me", "{");
        assertThat(broken.code()).isEqualTo(400);
        assertThat(broken.message()).startsWith("error decoding YAML: ");
    }

    @Test
    void reads_yaml() {
        Answer made = api.patch(
                map + "?fieldManager=me",
                Api.APPLY,
                "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata: {k: v}\n");
        assertThat(made.code()).isEqualTo(201);
        assertThat(made.text("/data/k")).isEqualTo("v");
    }
}
