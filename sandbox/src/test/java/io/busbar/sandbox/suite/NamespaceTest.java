package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NamespaceTest {

    private final Api api = Server.api();

    @Test
    void come_with_the_system() {
        assertThat(api.get("/api/v1/namespaces").names())
                .contains("default", "kube-system", "kube-public", "kube-node-lease");
    }

    @Test
    void come_furnished() {
        String name = api.newNamespace();
        Answer namespace = api.get("/api/v1/namespaces/" + name);
        assertThat(namespace.text("/status/phase")).isEqualTo("Active");
        assertThat(namespace.text("/spec/finalizers/0")).isEqualTo("kubernetes");
        Answer trust = Api.until(
                () -> api.get("/api/v1/namespaces/" + name + "/configmaps/kube-root-ca.crt"),
                answer -> answer.code() == 200);
        assertThat(trust.text("/data/ca.crt")).startsWith("-----BEGIN CERTIFICATE-----");
    }

    @Test
    void take_their_content_with_them() {
        String name = api.newNamespace();
        String maps = "/api/v1/namespaces/" + name + "/configmaps";
        api.post(maps, "{'metadata':{'name':'a','finalizers':['x.y/z']}}");
        Answer marked = api.delete("/api/v1/namespaces/" + name);
        assertThat(marked.code()).isEqualTo(200);
        assertThat(marked.text("/status/phase")).isEqualTo("Terminating");
        assertThat(marked.body().path("metadata").has("deletionGracePeriodSeconds"))
                .isFalse();
        Answer refused = api.post(maps, "{'metadata':{'name':'late'}}");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.reason()).isEqualTo("Forbidden");
        assertThat(refused.message())
                .isEqualTo("configmaps \"late\" is forbidden: unable to create new content in namespace " + name
                        + " because it is being terminated");
        assertThat(refused.causes())
                .containsExactly("NamespaceTerminating metadata.namespace: namespace " + name + " is being terminated");
        Api.until(
                () -> api.get(maps + "/a"),
                answer -> !answer.text("/metadata/deletionTimestamp").isEmpty());
        Answer told = Api.until(
                () -> api.get("/api/v1/namespaces/" + name),
                answer -> answer.body().at("/status/conditions").size() == 5);
        assertThat(told.body().at("/status/conditions").findValuesAsText("reason"))
                .containsExactly(
                        "ResourcesDiscovered",
                        "ParsedGroupVersions",
                        "ContentDeleted",
                        "SomeResourcesRemain",
                        "SomeFinalizersRemain");
        assertThat(told.text("/status/conditions/4/message"))
                .isEqualTo("Some content in the namespace has finalizers remaining: x.y/z in 1 resource instances");
        api.patch(maps + "/a", Api.MERGE, "{'metadata':{'finalizers':null}}");
        Api.until(() -> api.get("/api/v1/namespaces/" + name), answer -> answer.code() == 404);
        assertThat(api.get(maps).names()).isEmpty();
    }

    @Test
    void take_all_of_it_however_much_it_is() {
        String name = api.newNamespace();
        String maps = "/api/v1/namespaces/" + name + "/configmaps";
        for (int i = 0; i < 35; i++) {
            assertThat(api.post(maps, "{'metadata':{'name':'a" + i + "'}}").code())
                    .isEqualTo(201);
        }
        api.delete("/api/v1/namespaces/" + name);
        Api.until(() -> api.get("/api/v1/namespaces/" + name), answer -> answer.code() == 404);
        assertThat(api.get(maps).names()).isEmpty();
    }

    @Test
    void of_the_system_stay() {
        Answer refused = api.delete("/api/v1/namespaces/default");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("namespaces \"default\" is forbidden: this namespace may not be deleted");
    }

    @Test
    void have_strict_names() {
        Answer refused = api.post("/api/v1/namespaces", "{'metadata':{'name':'Bad_Name'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("a lowercase RFC 1123 label must consist of");
    }

    @Test
    void have_finalizers_of_their_own() {
        String url = "/api/v1/namespaces/finalizers-" + api.newNamespace();
        String name = url.substring(url.lastIndexOf('/') + 1);
        Answer refused = api.post("/api/v1/namespaces", "{'metadata':{'name':'x'},'spec':{'finalizers':['x']}}");
        assertThat(refused.causes().toString())
                .contains("spec.finalizers")
                .contains("name is neither a standard finalizer name nor is it fully qualified");
        Answer made =
                api.post("/api/v1/namespaces", "{'metadata':{'name':'" + name + "'},'spec':{'finalizers':['a.b/c']}}");
        assertThat(made.body().at("/spec/finalizers").toString()).isEqualTo("[\"a.b/c\",\"kubernetes\"]");
        Answer kept = api.patch(url, Api.MERGE, "{'spec':{'finalizers':[]}}");
        assertThat(kept.body().at("/spec/finalizers").size()).isEqualTo(2);
        assertThat(api.put(url + "/finalize", "{'metadata':{'name':'" + name + "'},'spec':{'finalizers':['x']}}")
                        .code())
                .isEqualTo(422);
        api.delete(url);
        Api.until(
                () -> api.get(url),
                answer -> answer.body().at("/spec/finalizers").toString().equals("[\"a.b/c\"]"));
        api.put(url + "/finalize", "{'metadata':{'name':'" + name + "'},'spec':{'finalizers':[]}}");
        Api.until(() -> api.get(url), answer -> answer.code() == 404);
    }

    @Test
    void are_in_the_phase_that_they_are_in() {
        String url = "/api/v1/namespaces/" + api.newNamespace() + "/status";
        Answer refused = api.patch(url, Api.MERGE, "{'status':{'phase':'Terminating'}}");
        assertThat(refused.causes())
                .containsExactly(
                        "FieldValueInvalid status.Phase: Invalid value: \"Terminating\": may only be 'Active' if"
                                + " `deletionTimestamp` is empty");
    }
}
