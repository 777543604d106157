package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** What built-in kinds are made of: in what is kept, in what is refused, and in what OpenAPI tells. */
class ModelTest {

    private static final String PODS = "io.k8s.api.core.v1.Pod";

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    private final String deployments = "/apis/apps/v1/namespaces/" + namespace + "/deployments";

    private static String deployment(String spec, String container) {
        return "{'metadata':{'name':'d','flavour':'sweet'},'spec':{'selector':{'matchLabels':{'a':'b'}}" + spec
                + ",'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'"
                + container
                + "}]}}},'topping':{'kind':'cream'}}";
    }

    @Test
    void drops_what_a_kind_does_not_have() {
        Answer made = api.post(deployments, deployment(",'colour':'red'", ",'size':3"));
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(made.body().has("topping")).isFalse();
        assertThat(made.body().at("/metadata").has("flavour")).isFalse();
        assertThat(made.body().at("/spec").has("colour")).isFalse();
        assertThat(made.body().at("/spec/template/spec/containers/0").has("size"))
                .isFalse();
        Answer patched = api.patch(deployments + "/d", Api.MERGE, "{'spec':{'colour':'red','paused':true}}");
        assertThat(patched.body().at("/spec").has("colour")).isFalse();
        assertThat(patched.text("/spec/paused")).isEqualTo("true");
    }

    @Test
    void takes_a_null_in_a_list_for_an_empty_element() {
        String services = "/api/v1/namespaces/" + namespace + "/services";
        Answer refused = api.post(
                services,
                "{'metadata':{'name':'s'},'spec':{'selector':{'a':'b'},'ports':[{'port':80,'name':'q'},null]}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.body().at("/details/causes").findValuesAsText("field"))
                .contains("spec.ports[1].name", "spec.ports[1].port");
        Answer pod = api.post(
                deployments,
                deployment("", ",'args':['a',null],'env':[null]").replace(",'topping':{'kind':'cream'}", ""));
        assertThat(pod.body().at("/details/causes").findValuesAsText("field"))
                .containsExactly("spec.template.spec.containers[0].env[0].name");
    }

    @Test
    void refuses_a_number_that_its_field_cannot_hold() {
        for (String number : new String[] {"9223372036854775807", "99999999999999999999", "1.5"}) {
            Answer refused = api.post(deployments, deployment(",'replicas':" + number, ""));
            assertThat(refused.code()).as(number).isEqualTo(400);
            assertThat(refused.message()).contains("Deployment in version \"v1\" cannot be handled as a Deployment");
        }
    }

    @Test
    void takes_a_grace_period_of_any_length() {
        api.post(maps, "{'metadata':{'name':'g'}}");
        Answer gone = api.delete(maps + "/g", "{'gracePeriodSeconds':9223372036854775807}");
        assertThat(gone.code()).as(gone.message()).isEqualTo(200);
    }

    @Test
    void keeps_what_anybody_may_name() {
        Answer made = api.post(
                maps,
                "{'metadata':{'name':'a','labels':{'my':'own'},'annotations':{'x/y':'z'}},'data':{'anything':'goes'}}");
        assertThat(made.text("/data/anything")).isEqualTo("goes");
        assertThat(made.text("/metadata/labels/my")).isEqualTo("own");
        String set = "/apis/apps/v1/namespaces/" + namespace + "/statefulsets";
        Answer claims = api.post(
                set,
                "{'metadata':{'name':'s'},'spec':{'serviceName':'s','selector':{'matchLabels':{'a':'b'}},'template':"
                        + "{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}},"
                        + "'volumeClaimTemplates':[{'kind':'PersistentVolumeClaim','apiVersion':'v1','metadata':{'name':'v'},"
                        + "'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}]}}");
        assertThat(claims.text("/spec/volumeClaimTemplates/0/kind"))
                .as(claims.message())
                .isEqualTo("PersistentVolumeClaim");
    }

    @Test
    void refuses_values_of_another_type() {
        Answer text = api.post(deployments, deployment(",'replicas':'3'", ""));
        assertThat(text.code()).isEqualTo(400);
        assertThat(text.message()).startsWith("Deployment in version \"v1\" cannot be handled as a Deployment: ");
        assertThat(api.post(deployments, deployment("", ",'env':[{'name':'A','value':5}]"))
                        .code())
                .isEqualTo(400);
        assertThat(api.post(deployments, deployment("", ",'args':'x'")).code()).isEqualTo(400);
        assertThat(api.post(maps, "{'metadata':{'name':'a'},'data':['x']}").code())
                .isEqualTo(400);
        assertThat(api.post(maps, "{'metadata':{'name':'a'},'data':{'k':true}}").code())
                .isEqualTo(400);
    }

    @Test
    void refuses_an_apply_of_what_a_kind_does_not_have() {
        Answer refused = api.patch(
                maps + "/a?fieldManager=suite",
                Api.APPLY,
                "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'a'},'flavour':'sweet'}");
        assertThat(refused.code()).isEqualTo(500);
        assertThat(refused.message())
                .startsWith("failed to create typed patch object")
                .endsWith(": .flavour: field not declared in schema");
    }

    @Test
    @Since(value = "1.27", why = "validation of fields by the server")
    void tells_clients_that_ask_of_fields_that_are_dropped() {
        Answer strict = api.post(deployments + "?fieldValidation=Strict", deployment(",'colour':'red'", ",'size':3"));
        assertThat(strict.code()).isEqualTo(400);
        assertThat(strict.message())
                .isEqualTo("Deployment in version \"v1\" cannot be handled as a Deployment: strict decoding error:"
                        + " unknown field \"metadata.flavour\", unknown field \"spec.colour\","
                        + " unknown field \"spec.template.spec.containers[0].size\", unknown field \"topping\"");
        Answer warned = api.post(deployments + "?fieldValidation=Warn", deployment(",'colour':'red'", ""));
        assertThat(warned.code()).isEqualTo(201);
        assertThat(warned.headers().allValues("Warning"))
                .containsExactlyInAnyOrder(
                        "299 - \"unknown field \\\"metadata.flavour\\\"\"",
                        "299 - \"unknown field \\\"spec.colour\\\"\"",
                        "299 - \"unknown field \\\"topping\\\"\"");
    }

    @Test
    @Since(value = "1.27", why = "validation of fields by the server")
    void tells_of_fields_of_metadata_however_they_come() {
        String map = maps + "/m";
        String strange = "{'metadata':{'name':'m','flavour':'sweet'}}";
        assertThat(api.post(maps + "?fieldValidation=Strict", strange).message())
                .contains("\"metadata.flavour\"");
        api.post(maps, "{'metadata':{'name':'m'}}");
        Answer put = api.put(map + "?fieldValidation=Strict", strange);
        assertThat(put.code()).isEqualTo(400);
        assertThat(put.message()).endsWith("strict decoding error: unknown field \"metadata.flavour\"");
        Answer warned = api.put(map + "?fieldValidation=Warn", strange);
        assertThat(warned.code()).isEqualTo(200);
        assertThat(warned.headers().allValues("Warning"))
                .containsExactly("299 - \"unknown field \\\"metadata.flavour\\\"\"");
        Answer patched = api.patch(map + "?fieldValidation=Strict", Api.MERGE, "{'metadata':{'flavour':'sweet'}}");
        assertThat(patched.message()).contains("unknown field \"metadata.flavour\"");
    }

    @Test
    void is_told_in_openapi() {
        JsonNode definitions = api.get("/openapi/v2").body().path("definitions");
        JsonNode pod = definitions.path(PODS);
        assertThat(pod.at("/x-kubernetes-group-version-kind/0/kind").asText()).isEqualTo("Pod");
        assertThat(pod.at("/properties/spec/$ref").asText()).isEqualTo("#/definitions/io.k8s.api.core.v1.PodSpec");
        JsonNode spec = definitions.path("io.k8s.api.core.v1.PodSpec");
        assertThat(spec.path("required").toString()).isEqualTo("[\"containers\"]");
        JsonNode containers = spec.at("/properties/containers");
        assertThat(containers.path("type").asText()).isEqualTo("array");
        assertThat(containers.at("/items/$ref").asText()).isEqualTo("#/definitions/io.k8s.api.core.v1.Container");
        assertThat(containers.path("x-kubernetes-patch-merge-key").asText()).isEqualTo("name");
        assertThat(spec.at("/properties/volumes/x-kubernetes-patch-strategy").asText())
                .isEqualTo("merge,retainKeys");
        assertThat(spec.at("/properties/terminationGracePeriodSeconds/format").asText())
                .isEqualTo("int64");
        assertThat(definitions
                        .at("/io.k8s.api.apps.v1.DeploymentSpec/properties/strategy/x-kubernetes-patch-strategy")
                        .asText())
                .isEqualTo("retainKeys");
    }

    @Test
    void how_lists_are_applied_and_what_a_quantity_is_is_told_in_openapi() {
        JsonNode definitions = api.get("/openapi/v2").body().path("definitions");
        JsonNode ports = definitions.at("/io.k8s.api.core.v1.Container/properties/ports");
        assertThat(ports.path("x-kubernetes-list-type").asText()).isEqualTo("map");
        assertThat(ports.path("x-kubernetes-list-map-keys").toString()).isEqualTo("[\"containerPort\",\"protocol\"]");
        JsonNode limits = definitions.at("/io.k8s.api.core.v1.ResourceRequirements/properties/limits");
        assertThat(limits.at("/additionalProperties/$ref").asText())
                .isEqualTo("#/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity");
        assertThat(definitions
                        .at("/io.k8s.apimachinery.pkg.api.resource.Quantity/type")
                        .asText())
                .isEqualTo("string");
    }

    @Test
    void of_custom_kinds_is_told_too() {
        String group = "g" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36) + ".example.com";
        String crd = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        api.post(
                crd,
                "{'metadata':{'name':'jars." + group + "'},'spec':{'group':'" + group + "','scope':'Namespaced',"
                        + "'names':{'plural':'jars','kind':'Jar'},'versions':[{'name':'v1','served':true,'storage':true,"
                        + "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object','properties':"
                        + "{'lid':{'type':'string','description':'What closes it.'}}}}}}}]}}");
        String name = "com.example." + group.substring(0, group.indexOf('.')) + ".v1.Jar";
        Answer document = Api.until(
                () -> api.get("/openapi/v2"),
                answer -> answer.body().path("definitions").has(name));
        JsonNode jar = document.body().path("definitions").path(name);
        assertThat(jar.at("/properties/spec/properties/lid/description").asText())
                .isEqualTo("What closes it.");
        // Kubernetes 1.20 numbers definitions that it merges, at times.
        assertThat(jar.at("/properties/metadata/$ref").asText())
                .startsWith("#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
        assertThat(jar.at("/x-kubernetes-group-version-kind/0/group").asText()).isEqualTo(group);
        api.delete(crd + "/jars." + group);
    }

    @Test
    @Since(value = "1.24", why = "OpenAPI 3")
    void is_told_for_each_version_of_a_group() {
        JsonNode apps = api.get("/openapi/v3/apis/apps/v1").body();
        JsonNode deployment = apps.at("/components/schemas/io.k8s.api.apps.v1.Deployment");
        assertThat(deployment.at("/properties/spec/allOf/0/$ref").asText())
                .isEqualTo("#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec");
        assertThat(apps.at("/components/schemas").has("io.k8s.api.core.v1.Container"))
                .isTrue();
        assertThat(api.get("/openapi/v3").body().at("/paths").has("apis/apps/v1"))
                .isTrue();
    }
}
