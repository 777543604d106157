package io.busbar.sandbox.suite;

import static io.busbar.sandbox.suite.WebhookServer.allowed;
import static io.busbar.sandbox.suite.WebhookServer.denied;
import static io.busbar.sandbox.suite.WebhookServer.patched;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WebhookTest {

    private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/";
    private static final String MAPS =
            "{'apiGroups':[''],'apiVersions':['v1'],'resources':['configmaps'],'operations':['*']}";

    private final Api api = Server.api();
    private final WebhookServer server = new WebhookServer();
    private final String namespace = api.newNamespace();
    private final String maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    private final List<String> made = new ArrayList<>();

    @AfterEach
    void forget() {
        made.forEach(api::delete);
        server.close();
    }

    private void mutating(String name, String webhook) {
        register("mutatingwebhookconfigurations", "MutatingWebhookConfiguration", name, webhook);
    }

    private void validating(String name, String webhook) {
        register("validatingwebhookconfigurations", "ValidatingWebhookConfiguration", name, webhook);
    }

    private void register(String plural, String kind, String name, String webhook) {
        api.patch(
                "/api/v1/namespaces/" + namespace, Api.MERGE, "{'metadata':{'labels':{'suite':'" + namespace + "'}}}");
        String full = name + "-" + namespace;
        Answer answer = api.post(
                CONFIGURATIONS + plural,
                "{'apiVersion':'admissionregistration.k8s.io/v1','kind':'" + kind + "','metadata':{'name':'" + full
                        + "'},'webhooks':[" + webhook + "]}");
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
        made.add(CONFIGURATIONS + plural + "/" + full);
    }

    /** @param more fields, each with a comma before it */
    private String webhook(String name, String clientConfig, String rules, String more) {
        return "{'name':'" + name + ".suite.io','clientConfig':" + clientConfig + ",'rules':[" + rules
                + "],'sideEffects':'None','admissionReviewVersions':['v1','v1beta1'],"
                + "'namespaceSelector':{'matchLabels':{'suite':'" + namespace + "'}}" + more + "}";
    }

    /** A real server takes note of a configuration after a moment. */
    private void awaitCall() {
        Api.until(
                () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'probe'}}"),
                answer -> server.request() != null);
        server.forget();
    }

    @Test
    void tells_what_is_asked() {
        server.on("/v", request -> allowed());
        validating("v", webhook("v", server.at("/v"), MAPS, ""));
        awaitCall();
        assertThat(api.post(maps + "?fieldManager=me", "{'metadata':{'name':'a'},'data':{'k':'v'}}")
                        .code())
                .isEqualTo(201);
        JsonNode request = server.request();
        assertThat(request.path("uid").asText()).hasSize(36);
        assertThat(request.path("kind").toString())
                .isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"kind\":\"ConfigMap\"}");
        assertThat(request.path("resource").toString())
                .isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"resource\":\"configmaps\"}");
        assertThat(request.path("requestKind")).isEqualTo(request.path("kind"));
        assertThat(request.path("operation").asText()).isEqualTo("CREATE");
        assertThat(request.path("name").asText()).isEqualTo("a");
        assertThat(request.path("namespace").asText()).isEqualTo(namespace);
        assertThat(request.path("userInfo").path("groups").toString()).contains("system:masters");
        assertThat(request.path("object").path("kind").asText()).isEqualTo("ConfigMap");
        assertThat(request.at("/object/metadata/uid").asText()).hasSize(36);
        assertThat(request.path("oldObject").isNull()).isTrue();
        assertThat(request.path("dryRun").asBoolean()).isFalse();
        assertThat(request.path("options").toString())
                .isEqualTo("{\"kind\":\"CreateOptions\",\"apiVersion\":\"meta.k8s.io/v1\",\"fieldManager\":\"me\"}");
    }

    @Test
    void tells_old_and_new_of_an_update_and_old_of_a_deletion() {
        server.on("/v", request -> allowed());
        validating("v", webhook("v", server.at("/v"), MAPS, ""));
        awaitCall();
        api.post(maps, "{'metadata':{'name':'a'},'data':{'k':'v'}}");
        server.forget();
        api.patch(maps + "/a", Api.MERGE, "{'data':{'k':'w'}}");
        JsonNode update = server.request();
        assertThat(update.path("operation").asText()).isEqualTo("UPDATE");
        assertThat(update.at("/object/data/k").asText()).isEqualTo("w");
        assertThat(update.at("/oldObject/data/k").asText()).isEqualTo("v");
        api.delete(maps + "/a");
        JsonNode deletion = server.request();
        assertThat(deletion.path("operation").asText()).isEqualTo("DELETE");
        assertThat(deletion.path("object").isNull()).isTrue();
        assertThat(deletion.at("/oldObject/data/k").asText()).isEqualTo("w");
        assertThat(deletion.at("/options/kind").asText()).isEqualTo("DeleteOptions");
    }

    @Test
    void refuses_with_the_webhooks_words() {
        server.on("/v", request -> denied("not today"));
        validating("v", webhook("v", server.at("/v"), MAPS, ""));
        awaitCall();
        Answer refused = api.post(maps, "{'metadata':{'name':'a'}}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).isEqualTo("admission webhook \"v.suite.io\" denied the request: not today");
        assertThat(api.get(maps + "/a").code()).isEqualTo(404);
    }

    @Test
    void refuses_with_the_webhooks_code_and_reason() {
        server.on("/v", request -> {
            var response = denied("taken");
            response.withObject("/status").put("code", 409).put("reason", "Conflict");
            return response;
        });
        validating("v", webhook("v", server.at("/v"), MAPS, ""));
        awaitCall();
        Answer refused = api.post(maps, "{'metadata':{'name':'a'}}");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.reason()).isEqualTo("Conflict");
        server.on("/v", request -> allowed().put("allowed", false));
        assertThat(api.post(maps, "{'metadata':{'name':'a'}}").message())
                .isEqualTo("admission webhook \"v.suite.io\" denied the request without explanation");
    }

    @Test
    void patches_in_the_order_of_names() {
        server.on("/one", request -> patched("[{'op':'add','path':'/data','value':{'k':'1'}}]"));
        server.on("/two", request -> patched("[{'op':'replace','path':'/data/k','value':'2'}]"));
        mutating("b", webhook("two", server.at("/two"), MAPS, ""));
        mutating("a", webhook("one", server.at("/one"), MAPS, ""));
        Answer made = Api.until(
                () -> api.post(maps, "{'metadata':{'generateName':'a'}}"),
                answer -> answer.text("/data/k").equals("2"));
        assertThat(made.code()).isEqualTo(201);
    }

    @Test
    void asks_again_who_wants_to_know() {
        server.on("/count", request -> {
            int count = request.at("/object/data/count").asInt(0) + 1;
            return patched("[{'op':'add','path':'/data/count','value':'" + count + "'}]");
        });
        server.on("/late", request -> patched("[{'op':'add','path':'/data/late','value':'yes'}]"));
        mutating("a", webhook("count", server.at("/count"), MAPS, ",'reinvocationPolicy':'IfNeeded'"));
        mutating("b", webhook("late", server.at("/late"), MAPS, ""));
        Answer made = Api.until(
                () -> api.post(maps, "{'metadata':{'generateName':'a'},'data':{'x':'y'}}"),
                answer -> answer.text("/data/late").equals("yes")
                        && !answer.text("/data/count").isEmpty());
        assertThat(made.text("/data/count")).isEqualTo("2");
    }

    @Test
    void passes_warnings_on() {
        server.on("/v", request -> {
            var response = allowed();
            response.putArray("warnings").add("mind \"the\" gap");
            return response;
        });
        validating("v", webhook("v", server.at("/v"), MAPS, ""));
        awaitCall();
        Answer warned = api.post(maps, "{'metadata':{'name':'a'}}");
        assertThat(warned.code()).isEqualTo(201);
        assertThat(warned.headers().firstValue("Warning")).hasValue("299 - \"mind \\\"the\\\" gap\"");
    }

    @Test
    void calls_for_selected_objects_alone() {
        server.on("/v", request -> denied("selected"));
        validating(
                "v",
                webhook(
                        "v",
                        server.at("/v"),
                        MAPS,
                        ",'objectSelector':{'matchExpressions':[{'key':'x','operator':'Exists'}]}"));
        Api.until(
                () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'probe','labels':{'x':'y'}}}"),
                answer -> answer.code() == 400);
        assertThat(api.post(maps, "{'metadata':{'name':'a'}}").code()).isEqualTo(201);
        assertThat(api.patch(maps + "/a", Api.MERGE, "{'metadata':{'labels':{'x':'y'}}}")
                        .code())
                .isEqualTo(400);
        String other = api.newNamespace();
        assertThat(api.post(
                                "/api/v1/namespaces/" + other + "/configmaps",
                                "{'metadata':{'name':'a','labels':{'x':'y'}}}")
                        .code())
                .isEqualTo(201);
    }

    @Test
    void tells_subresources_apart() {
        String deployments = "/apis/apps/v1/namespaces/" + namespace + "/deployments";
        server.on("/v", request -> allowed());
        validating(
                "v",
                webhook(
                        "v",
                        server.at("/v"),
                        MAPS
                                + ",{'apiGroups':['apps'],'apiVersions':['*'],'resources':['deployments/status'],'operations':['UPDATE']}",
                        ""));
        awaitCall();
        api.post(
                deployments,
                "{'metadata':{'name':'d'},'spec':{'replicas':0,'paused':true,'selector':{'matchLabels':{'a':'b'}},"
                        + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'x'}]}}}}");
        api.patch(deployments + "/d", Api.MERGE, "{'metadata':{'labels':{'x':'y'}}}");
        api.patch(deployments + "/d/status", Api.MERGE, "{'status':{'collisionCount':7}}");
        JsonNode request = server.request();
        while (!request.at("/object/status/collisionCount").asText().equals("7")) {
            request = server.request();
        }
        assertThat(request.path("subResource").asText()).isEqualTo("status");
        assertThat(request.path("resource").path("resource").asText()).isEqualTo("deployments");
    }

    @Test
    void fails_or_not_as_the_policy_says() {
        String nobody = "{'url':'https://127.0.0.1:1/x'}";
        validating("v", webhook("v", nobody, MAPS, ""));
        Answer refused = Api.until(
                () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"), answer -> answer.code() == 500);
        assertThat(refused.reason()).isEqualTo("InternalError");
        assertThat(refused.message())
                .startsWith("Internal error occurred: failed calling webhook \"v.suite.io\":")
                .contains(
                        "Post \"https://127.0.0.1:1/x?timeout=10s\": dial tcp 127.0.0.1:1: connect: connection refused");
        api.patch(
                made.get(0), Api.JSON_PATCH, "[{'op':'replace','path':'/webhooks/0/failurePolicy','value':'Ignore'}]");
        Api.until(() -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"), answer -> answer.code() == 201);
    }

    @Test
    void does_not_wait_for_ever() {
        server.on("/v", WebhookServer.SILENT);
        validating("v", webhook("v", server.at("/v"), MAPS, ",'timeoutSeconds':1"));
        Answer refused = Api.until(
                () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"), answer -> answer.code() == 500);
        assertThat(refused.message())
                .startsWith("Internal error occurred: failed calling webhook \"v.suite.io\":")
                .contains("/v?timeout=1s\":")
                .endsWith("context deadline exceeded");
    }

    @Test
    void trusts_the_bundle_alone() {
        server.on("/v", request -> allowed());
        String wrong;
        try (WebhookServer other = new WebhookServer()) {
            String bundle = other.at("/v").replaceAll(".*'caBundle':'([^']*)'.*", "$1");
            wrong = server.at("/v").replaceAll("'caBundle':'[^']*'", "'caBundle':'" + bundle + "'");
        }
        validating("v", webhook("v", wrong, MAPS, ""));
        Answer refused = Api.until(
                () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"), answer -> answer.code() == 500);
        assertThat(refused.message())
                .contains("failed calling webhook \"v.suite.io\":")
                .contains("x509: certificate signed by unknown authority");
    }

    @Test
    void finds_no_service_that_is_not_there() {
        String service = "{'service':{'name':'hook','namespace':'" + namespace + "','path':'/v'}}";
        validating("v", webhook("v", service, MAPS, ""));
        Answer refused = Api.until(
                () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"), answer -> answer.code() == 500);
        assertThat(refused.message())
                .contains("failed calling webhook \"v.suite.io\":")
                .endsWith("Post \"https://hook." + namespace + ".svc:443/v?timeout=10s\": service \"hook\" not found");
    }

    @Test
    void refuses_malformed_patches_and_answers() {
        server.on("/m", request -> patched("[{'op':'replace','path':'/nowhere/k','value':'2'}]"));
        mutating("m", webhook("m", server.at("/m"), MAPS, ""));
        Answer unfit = Api.until(
                () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"), answer -> answer.code() == 500);
        assertThat(unfit.reason()).isEqualTo("InternalError");
        server.on("/m", request -> allowed().put("patchType", "JSONPatch"));
        assertThat(api.post(maps, "{'metadata':{'name':'a'}}").message())
                .endsWith("webhook returned response.patchType but not response.patch");
        server.on("/m", request -> allowed().put("uid", "other"));
        assertThat(api.post(maps, "{'metadata':{'name':'a'}}").message())
                .contains("expected response.uid=\"")
                .endsWith("\", got \"other\"");
    }

    @Test
    void sees_what_the_other_webhooks_and_the_defaults_made() {
        String pods = "/api/v1/namespaces/" + namespace + "/pods";
        String rule = "{'apiGroups':[''],'apiVersions':['v1'],'resources':['pods'],'operations':['CREATE']}";
        server.on(
                "/m",
                request -> patched("[{'op':'add','path':'/spec/containers/-','value':{'name':'side','image':'car'}}]"));
        server.on("/v", request -> allowed());
        mutating("m", webhook("m", server.at("/m"), rule, ""));
        validating("v", webhook("v", server.at("/v"), MAPS + "," + rule, ""));
        awaitCall();
        Answer pod = Api.until(
                () -> api.post(
                        pods,
                        "{'metadata':{'generateName':'p'},'spec':{'schedulerName':'none','containers':[{'name':'c','image':'x'}]}}"),
                answer -> answer.body().at("/spec/containers").size() == 2);
        assertThat(pod.text("/spec/containers/1/imagePullPolicy")).isEqualTo("Always");
        JsonNode seen = server.request();
        JsonNode next = seen;
        while (next != null) {
            seen = next;
            next = server.request();
        }
        assertThat(seen.at("/object/spec/containers/1/terminationMessagePath").asText())
                .isEqualTo("/dev/termination-log");
        assertThat(seen.at("/object/metadata/name").asText()).isEqualTo(pod.text("/metadata/name"));
    }
}
