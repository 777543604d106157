package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

class RoutesTest {

    private final Api api = Server.api();

    @Test
    void tell_what_is_served() {
        assertThat(api.get("/api").text("/versions/0")).isEqualTo("v1");
        assertThat(api.get("/apis").body().path("groups").findValuesAsText("name"))
                .contains("apps", "batch", "policy", "coordination.k8s.io", "apiextensions.k8s.io");
        Answer group = api.get("/apis/apps");
        assertThat(group.text("/kind")).isEqualTo("APIGroup");
        assertThat(group.text("/preferredVersion/groupVersion")).isEqualTo("apps/v1");
    }

    @Test
    void tell_how_resources_are_served() {
        Answer list = api.get("/api/v1");
        assertThat(list.text("/kind")).isEqualTo("APIResourceList");
        JsonNode pods = resource(list, "pods");
        assertThat(pods.path("kind").asText()).isEqualTo("Pod");
        assertThat(pods.path("namespaced").asBoolean()).isTrue();
        assertThat(pods.path("shortNames").toString()).isEqualTo("[\"po\"]");
        assertThat(pods.path("categories").toString()).isEqualTo("[\"all\"]");
        assertThat(pods.path("verbs").toString())
                .isEqualTo(
                        "[\"create\",\"delete\",\"deletecollection\",\"get\",\"list\",\"patch\",\"update\",\"watch\"]");
        assertThat(resource(list, "pods/status").path("verbs").toString()).isEqualTo("[\"get\",\"patch\",\"update\"]");
        assertThat(resource(api.get("/apis/apps/v1"), "deployments/scale")
                        .path("group")
                        .asText())
                .isEqualTo("autoscaling");
        assertThat(resource(list, "namespaces").path("verbs").toString()).doesNotContain("deletecollection");
    }

    @Test
    @Since(value = "1.30", why = "discovery of everything at once, in its second version,")
    void tell_everything_at_once() {
        Answer list = api.get("/apis", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,*/*");
        assertThat(list.text("/kind")).isEqualTo("APIGroupDiscoveryList");
        assertThat(list.headers().firstValue("Content-Type"))
                .hasValue("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
        JsonNode apps = named(list.body().path("items"), "/metadata/name", "apps");
        JsonNode deployments = named(apps.at("/versions/0/resources"), "/resource", "deployments");
        assertThat(deployments.path("scope").asText()).isEqualTo("Namespaced");
        assertThat(deployments.at("/responseKind/kind").asText()).isEqualTo("Deployment");
        JsonNode scale = named(deployments.path("subresources"), "/subresource", "scale");
        assertThat(scale.at("/responseKind").toString())
                .isEqualTo("{\"group\":\"autoscaling\",\"version\":\"v1\",\"kind\":\"Scale\"}");
        assertThat(api.get("/apis", "application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList,*/*")
                        .text("/kind"))
                .isEqualTo("APIGroupList");
        assertThat(api.get("/apis", "text/html").code()).isEqualTo(406);
    }

    private static JsonNode named(JsonNode array, String pointer, String name) {
        for (JsonNode item : array) {
            if (item.at(pointer).asText().equals(name)) {
                return item;
            }
        }
        throw new AssertionError("no " + name + " in " + array);
    }

    @Test
    void tell_that_all_is_well() {
        assertThat(api.get("/healthz").body().asText()).isEqualTo("ok");
        assertThat(api.get("/livez").body().asText()).isEqualTo("ok");
        assertThat(api.get("/readyz").body().asText()).isEqualTo("ok");
        assertThat(api.get("/version").text("/major")).isEqualTo("1");
    }

    @Test
    void end_where_nothing_is() {
        for (String path : new String[] {
            "/api/v1/nonsense",
            "/apis/apps/v1/deployments/x",
            "/api/v1/pods/x",
            "/api/v1/namespaces/default/nodes",
            "/api/v1/namespaces/default/pods/x/foo"
        }) {
            Answer refused = api.get(path);
            assertThat(refused.code()).as(path).isEqualTo(404);
            assertThat(refused.message()).as(path).isEqualTo("the server could not find the requested resource");
        }
        for (String path : new String[] {"/apis/foo.bar/v1", "/apis/foo.bar/v1/things"}) {
            Answer nowhere = api.get(path);
            assertThat(nowhere.code()).as(path).isEqualTo(404);
            assertThat(nowhere.body().asText()).as(path).isEqualTo("404 page not found\n");
        }
    }

    @Test
    @Since(value = "1.33", why = "the deprecation of Endpoints")
    void warn_of_kinds_that_have_a_successor() {
        assertThat(api.get("/api/v1/namespaces/default/endpoints").headers().allValues("Warning"))
                .containsExactly(
                        "299 - \"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\"");
    }

    @Test
    void tell_that_the_parts_are_well() {
        Answer parts = api.get("/api/v1/componentstatuses");
        assertThat(parts.text("/kind")).isEqualTo("ComponentStatusList");
        assertThat(parts.names()).contains("controller-manager", "scheduler");
    }

    @Test
    void refuse_other_methods() {
        String map = "/api/v1/namespaces/default/configmaps";
        assertThat(api.put(map, "{'metadata':{'name':'a'}}").code()).isEqualTo(405);
        assertThat(api.post(map + "/a", "{}").code()).isEqualTo(405);
        Answer refused = api.post("/api/v1/pods", "{'metadata':{'name':'x'}}");
        assertThat(refused.code()).isEqualTo(405);
        assertThat(refused.reason()).isEqualTo("MethodNotAllowed");
        assertThat(refused.message()).isEqualTo("the server does not allow this method on the requested resource");
    }

    @Test
    void do_not_do_to_namespaces_what_would_be_too_much() {
        assertThat(api.delete("/api/v1/namespaces").code()).isEqualTo(405);
        assertThat(api.send("OPTIONS", "/api/v1/namespaces/default", "", "").code())
                .isEqualTo(405);
        assertThat(api.patch("/api/v1/namespaces/default/configmaps", Api.MERGE, "{}")
                        .code())
                .isEqualTo(405);
    }

    @Test
    void say_what_was_not_found() {
        Answer map = api.get("/api/v1/namespaces/default/configmaps/nothing");
        assertThat(map.code()).isEqualTo(404);
        assertThat(map.reason()).isEqualTo("NotFound");
        assertThat(map.text("/kind")).isEqualTo("Status");
        assertThat(map.text("/status")).isEqualTo("Failure");
        assertThat(map.body().path("details").toString()).isEqualTo("{\"name\":\"nothing\",\"kind\":\"configmaps\"}");
        Answer deployment = api.get("/apis/apps/v1/namespaces/default/deployments/nothing");
        assertThat(deployment.message()).isEqualTo("deployments.apps \"nothing\" not found");
        assertThat(deployment.body().path("details").toString())
                .isEqualTo("{\"name\":\"nothing\",\"group\":\"apps\",\"kind\":\"deployments\"}");
    }

    @Test
    void print_prettily_on_demand() {
        Answer yaml = api.get("/api/v1/namespaces/default?pretty=true", "application/yaml");
        assertThat(yaml.headers().firstValue("Content-Type")).hasValue("application/yaml");
        assertThat(api.get("/api/v1/namespaces/default").headers().firstValue("Content-Type"))
                .hasValue("application/json");
    }

    @Test
    void refuse_forms_that_they_do_not_have() {
        Answer refused = api.get("/api/v1/namespaces/default/configmaps", "text/foo");
        assertThat(refused.code()).isEqualTo(406);
        assertThat(refused.reason()).isEqualTo("NotAcceptable");
        assertThat(refused.message()).startsWith("406: Not Acceptable");
    }

    @Test
    void refuse_one_for_many_and_many_for_one() {
        String maps = "/api/v1/namespaces/default/configmaps";
        Answer list = api.get(maps, "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
        assertThat(list.code()).isEqualTo(406);
        assertThat(list.message())
                .startsWith("you requested PartialObjectMetadata, but the requested object is a list");
        Answer one = api.get(
                "/api/v1/namespaces/default", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
        assertThat(one.code()).isEqualTo(406);
        Answer table = api.get(maps + "?includeObject=Some", "application/json;as=Table;g=meta.k8s.io;v=v1");
        assertThat(table.code()).isEqualTo(400);
    }

    @Test
    void speak_yaml() {
        Answer namespace = api.get("/api/v1/namespaces/default", "application/yaml");
        assertThat(namespace.body().asText()).contains("kind: Namespace\n").contains("name: default\n");
    }

    @Test
    void allow_everything_to_the_admin() {
        Answer review = api.post(
                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                "{'spec':{'resourceAttributes':{'verb':'get','resource':'pods'}}}");
        assertThat(review.code()).isEqualTo(201);
        assertThat(review.text("/status/allowed")).isEqualTo("true");
    }

    @Test
    void show_events_in_both_groups() {
        String namespace = api.newNamespace();
        Answer made = api.post(
                "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events",
                "{'metadata':{'name':'e'},'eventTime':'2024-01-01T00:00:00.000000Z','reportingController':'c/d',"
                        + "'reportingInstance':'i','action':'a','reason':'r','type':'Normal','note':'n',"
                        + "'regarding':{'kind':'Pod','name':'p','namespace':'" + namespace + "'}}");
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(made.text("/note")).isEqualTo("n");
        Answer core = api.get("/api/v1/namespaces/" + namespace + "/events/e");
        assertThat(core.text("/message")).isEqualTo("n");
        assertThat(core.text("/involvedObject/name")).isEqualTo("p");
        assertThat(core.text("/reportingComponent")).isEqualTo("c/d");
    }

    private static JsonNode resource(Answer list, String name) {
        for (JsonNode resource : list.body().path("resources")) {
            if (resource.path("name").asText().equals(name)) {
                return resource;
            }
        }
        throw new AssertionError(name + " is not served");
    }

    @Test
    void tell_of_themselves_to_readers_alone() {
        for (String path : new String[] {"/api", "/api/v1", "/apis/apps/v1", "/version"}) {
            assertThat(api.post(path, "{}").code()).as(path).isEqualTo(405);
            assertThat(api.delete(path).code()).as(path).isEqualTo(405);
        }
        assertThat(api.post("/apis", "{}").code()).isEqualTo(200);
        assertThat(api.get("/apis/apps/v9").message()).isEqualTo("the server could not find the requested resource");
        assertThat(api.get("/").body().path("paths").toString()).contains("\"/api/v1\"", "\"/apis/apps/v1\"");
    }

    @Test
    void tell_what_is_well() {
        assertThat(api.get("/readyz?verbose").body().asText())
                .startsWith("[+]ping ok\n")
                .endsWith("readyz check passed\n");
        assertThat(api.get("/livez/etcd").body().asText()).isEqualTo("ok");
        assertThat(api.get("/livez/nothing").code()).isEqualTo(404);
    }
}
