package io.busbar.sandbox.suite;

import static io.busbar.sandbox.suite.WebhookServer.allowed;
import static io.busbar.sandbox.suite.WebhookServer.denied;
import static io.busbar.sandbox.suite.WebhookServer.patched;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** Registers it once the namespace has its own ConfigMap, whose publisher would call the webhooks in between. */
    private void register(String plural, String kind, String name, String webhook) {
        Api.until(() -> api.get(maps + "/kube-root-ca.crt"), answer -> answer.code() == 200);
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
    void reaches_a_service_by_its_external_name_and_under_its_own() {
        try (WebhookServer named = new WebhookServer("hook." + namespace + ".svc")) {
            named.on("/v", request -> denied("not by service"));
            external("hook", "localhost");
            validating("v", webhook("v", named.by(namespace, "hook", named.port(), "/v"), MAPS, ""));
            Answer refused = Api.until(
                    () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"), answer -> answer.code() != 201);
            assertThat(refused.message())
                    .isEqualTo("admission webhook \"v.suite.io\" denied the request: not by service");

            external("other", "localhost");
            validating("w", webhook("w", named.by(namespace, "other", named.port(), "/v"), MAPS, ""));
            api.delete(made.remove(0));
            Answer unnamed = Api.until(
                    () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"), answer -> answer.code() == 500);
            assertThat(unnamed.message()).contains("x509: certificate is").contains("other." + namespace + ".svc");
        }
    }

    @Test
    void finds_no_way_to_a_service_without_an_address_or_the_port() {
        api.post(
                "/api/v1/namespaces/" + namespace + "/services",
                "{'metadata':{'name':'hook'},'spec':{'ports':[{'port':443}]}}");
        validating("v", webhook("v", server.by(namespace, "hook", 8443, "/v"), MAPS, ""));
        Answer refused = Api.until(
                () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"), answer -> answer.code() == 500);
        assertThat(refused.message()).endsWith("no service port 8443 found for service \"hook\"");

        api.post(
                "/api/v1/namespaces/" + namespace + "/services",
                "{'metadata':{'name':'none'},'spec':{'clusterIP':'None','ports':[{'port':443}]}}");
        validating("w", webhook("w", server.by(namespace, "none", 443, "/v"), MAPS, ""));
        api.delete(made.remove(0));
        Answer headless = Api.until(
                () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"),
                answer -> answer.code() == 500 && !answer.message().equals(refused.message()));
        assertThat(headless.message()).endsWith("cannot route to service with ClusterIP \"None\"");
    }

    private void external(String service, String host) {
        Answer answer = api.post(
                "/api/v1/namespaces/" + namespace + "/services",
                "{'metadata':{'name':'" + service + "'},'spec':{'type':'ExternalName','externalName':'" + host + "'}}");
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    }

    @Test
    void refuses_malformed_patches_and_answers() {
        server.on("/m", request -> patched("[{'op':'replace','path':'/nowhere/k','value':'2'}]"));
        mutating("m", webhook("m", server.at("/m"), MAPS, ""));
        Answer unfit = Api.until(
                () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"), answer -> answer.code() == 500);
        assertThat(unfit.reason()).isEqualTo("InternalError");
        assertThat(unfit.message()).contains("replace operation does not apply: doc is missing path: /nowhere/k");
        server.on("/m", request -> patched("[{'op':'test','path':'/data/x','value':'1'}]"));
        assertThat(api.post(maps, "{'metadata':{'name':'a'}}").message())
                .isEqualTo(
                        "Internal error occurred: test operation does not apply: is missing path: /data/x: missing value");
        server.on("/m", request -> patched("[{'op':'add','path':'/data','value':5}]"));
        Answer undecodable = api.post(maps, "{'metadata':{'name':'a'}}");
        assertThat(undecodable.code()).isEqualTo(500);
        assertThat(undecodable.reason()).isEqualTo("InternalError");
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

    @Test
    void is_configured_properly() {
        Answer refused = api.post(CONFIGURATIONS + "mutatingwebhookconfigurations", """
                {'metadata':{'name':'bad-%s'},'webhooks':[
                 {'name':'short','sideEffects':'Some','admissionReviewVersions':['v7'],'failurePolicy':'Maybe','matchPolicy':'Foo',
                  'reinvocationPolicy':'X','timeoutSeconds':40,'clientConfig':{'url':'http://u@x/y'},
                  'objectSelector':{'matchExpressions':[{'key':'x','operator':'In'}]},
                  'rules':[{'operations':['CREATE','*','GET'],'apiGroups':['*','apps'],'apiVersions':[],
                   'resources':['*','pods','pods/*','pods/x'],'scope':'Foo'}]},
                 {'name':'a.b.c','clientConfig':{},'rules':[]},
                 {'name':'a.b.c','sideEffects':'None','admissionReviewVersions':['v1','v1'],'rules':[],
                  'clientConfig':{'service':{'name':'s','namespace':'x','port':70000,'path':'no'}}}]}""".formatted(namespace));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .containsExactlyInAnyOrder(
                        "FieldValueInvalid webhooks[0].name: Invalid value: \"short\": should be a domain with at least three"
                                + " segments separated by dots",
                        "FieldValueInvalid webhooks[0].rules[0].operations: Invalid value:"
                                + " " + list("admissionregistration.OperationType", "CREATE", "*", "GET")
                                + ": if '*' is present, must not"
                                + " specify other operations",
                        "FieldValueNotSupported webhooks[0].rules[0].operations[2]: Unsupported value: \"GET\": supported"
                                + " values: \"*\", \"CONNECT\", \"CREATE\", \"DELETE\", \"UPDATE\"",
                        "FieldValueInvalid webhooks[0].rules[0].apiGroups: Invalid value: "
                                + list("string", "*", "apps")
                                + ": if '*' is present, must not specify other API groups",
                        "FieldValueRequired webhooks[0].rules[0].apiVersions: Required value",
                        "FieldValueInvalid webhooks[0].rules[0].resources[3]: Invalid value: \"pods/x\": if 'pods/*' is"
                                + " present, must not specify pods/x",
                        "FieldValueInvalid webhooks[0].rules[0].resources: Invalid value: "
                                + list("string", "*", "pods", "pods/*", "pods/x")
                                + ": if '*' is present, must not specify other resources without subresources",
                        "FieldValueNotSupported webhooks[0].rules[0].scope: Unsupported value: \"Foo\": supported values: \"*\","
                                + " \"Cluster\", \"Namespaced\"",
                        "FieldValueNotSupported webhooks[0].failurePolicy: Unsupported value: \"Maybe\": supported values:"
                                + " \"Fail\", \"Ignore\"",
                        "FieldValueNotSupported webhooks[0].matchPolicy: Unsupported value: \"Foo\": supported values:"
                                + " \"Equivalent\", \"Exact\"",
                        "FieldValueNotSupported webhooks[0].sideEffects: Unsupported value: \"Some\": supported values: \"None\","
                                + " \"NoneOnDryRun\"",
                        "FieldValueInvalid webhooks[0].timeoutSeconds: Invalid value: 40: the timeout value must be between 1 and"
                                + " 30 seconds",
                        "FieldValueRequired webhooks[0].objectSelector.matchExpressions[0].values: Required value: must be"
                                + " specified when `operator` is 'In' or 'NotIn'",
                        "FieldValueNotSupported webhooks[0].reinvocationPolicy: Unsupported value: \"X\": supported values:"
                                + " \"IfNeeded\", \"Never\"",
                        "FieldValueInvalid webhooks[0].clientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL"
                                + " scheme; desired format: https://host[/path]",
                        "FieldValueInvalid webhooks[0].clientConfig.url: Invalid value: \"u\": user information is not permitted"
                                + " in the URL",
                        "FieldValueInvalid webhooks[0].admissionReviewVersions: Invalid value: " + list("string", "v7")
                                + ": must include at least one of v1, v1beta1",
                        "FieldValueRequired webhooks[1].sideEffects: Required value: must specify one of None, NoneOnDryRun",
                        "FieldValueRequired webhooks[1].clientConfig: Required value: exactly one of url or service is required",
                        "FieldValueRequired webhooks[1].admissionReviewVersions: Required value: must specify one of v1, v1beta1",
                        "FieldValueInvalid webhooks[2].clientConfig.service.port: Invalid value: 70000: port is not valid: must be"
                                + " between 1 and 65535, inclusive",
                        "FieldValueInvalid webhooks[2].clientConfig.service.path: Invalid value: \"no\": must start with a '/'",
                        "FieldValueInvalid webhooks[2].admissionReviewVersions[1]: Invalid value: \"v1\": duplicate version",
                        "FieldValueDuplicate webhooks[2].name: Duplicate value: \"a.b.c\"");
    }

    /** Older releases show a list as Go does. */
    private static String list(String type, String... items) {
        String quoted = "\"" + String.join(Server.version() < 30 ? "\", \"" : "\",\"", items) + "\"";
        return Server.version() < 30 ? "[]" + type + "{" + quoted + "}" : "[" + quoted + "]";
    }

    @Test
    void gets_defaults() {
        validating("v", webhook("v", server.at("/v"), MAPS, ""));
        Answer made = api.get(this.made.get(0));
        assertThat(made.text("/webhooks/0/failurePolicy")).isEqualTo("Fail");
        assertThat(made.text("/webhooks/0/matchPolicy")).isEqualTo("Equivalent");
        assertThat(made.text("/webhooks/0/timeoutSeconds")).isEqualTo("10");
        assertThat(made.text("/webhooks/0/rules/0/scope")).isEqualTo("*");
        assertThat(made.body().at("/webhooks/0/objectSelector").toString()).isEqualTo("{}");
    }

    @Test
    void sees_an_equivalent_version_when_it_may() {
        try (CustomGroup group = new CustomGroup(api)) {
            String any = "{'type':'object','x-kubernetes-preserve-unknown-fields':true}";
            group.serve(group.widgets(
                    "", CustomGroup.version("v1", true, any, ""), CustomGroup.version("v2", false, any, "")));
            String rule = "{'apiGroups':['" + group.name()
                    + "'],'apiVersions':['v1'],'resources':['widgets'],'operations':['CREATE']}";
            server.on("/exact", request -> denied("exact"));
            server.on("/v", request -> allowed());
            validating("a", webhook("exact", server.at("/exact"), rule, ",'matchPolicy':'Exact'"));
            validating("b", webhook("v", server.at("/v"), rule, ""));
            String second = group.url("v2", namespace);
            Api.until(
                    () -> api.post(second + "?dryRun=All", group.widget("v2", "probe", "")),
                    answer -> server.request() != null);
            Api.until(
                    () -> api.post(group.url("v1", namespace) + "?dryRun=All", group.widget("v1", "probe", "")),
                    answer -> answer.code() == 400);
            server.forget();
            Answer made = api.post(second, group.widget("v2", "w", ",'spec':{'x':1}"));
            assertThat(made.code()).as(made.message()).isEqualTo(201);
            JsonNode request = server.request();
            assertThat(request.at("/kind/version").asText()).isEqualTo("v1");
            assertThat(request.at("/resource/version").asText()).isEqualTo("v1");
            assertThat(request.at("/requestKind/version").asText()).isEqualTo("v2");
            assertThat(request.at("/object/apiVersion").asText()).isEqualTo(group.name() + "/v1");
            assertThat(request.at("/object/spec/x").asInt()).isEqualTo(1);
        }
    }

    @Test
    void is_told_of_a_dry_run() {
        server.on("/v", request -> allowed());
        validating(
                "v",
                webhook("v", server.at("/v"), MAPS, ",'sideEffects':'NoneOnDryRun'")
                        .replace("'sideEffects':'None',", ""));
        awaitCall();
        api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}");
        JsonNode request = server.request();
        assertThat(request.path("dryRun").asBoolean()).isTrue();
        assertThat(request.at("/options/dryRun/0").asText()).isEqualTo("All");
    }

    @Test
    void is_asked_for_its_operations_and_scope_alone() {
        server.on("/delete", request -> denied("stays"));
        server.on("/cluster", request -> denied("cluster"));
        validating("a", webhook("delete", server.at("/delete"), MAPS.replace("'*'", "'DELETE'"), ""));
        validating(
                "b",
                webhook(
                        "cluster",
                        server.at("/cluster"),
                        MAPS.replace("'operations'", "'scope':'Cluster','operations'"),
                        ""));
        api.post(maps, "{'metadata':{'name':'a'}}");
        Answer refused = Api.until(() -> api.delete(maps + "/a?dryRun=All"), answer -> answer.code() == 400);
        assertThat(refused.message()).isEqualTo("admission webhook \"delete.suite.io\" denied the request: stays");
        assertThat(api.post(maps, "{'metadata':{'name':'b'}}").code()).isEqualTo(201);
        assertThat(api.patch(maps + "/a", Api.MERGE, "{'data':{'k':'v'}}").code())
                .isEqualTo(200);
    }

    @Test
    void may_not_make_what_is_invalid() {
        server.on("/m", request -> patched("[{'op':'add','path':'/metadata/labels','value':{'a b':'c'}}]"));
        mutating("m", webhook("m", server.at("/m"), MAPS, ""));
        Answer refused = Api.until(
                () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"), answer -> answer.code() == 422);
        assertThat(refused.causes().get(0)).startsWith("FieldValueInvalid metadata.labels: Invalid value: \"a b\"");
    }

    @Test
    void is_chosen_by_what_others_made_of_the_object() {
        server.on("/one", request -> patched("[{'op':'add','path':'/metadata/labels','value':{'x':'y'}}]"));
        server.on("/two", request -> patched("[{'op':'add','path':'/data','value':{'k':'2'}}]"));
        mutating("a", webhook("one", server.at("/one"), MAPS, ""));
        mutating("b", webhook("two", server.at("/two"), MAPS, ",'objectSelector':{'matchLabels':{'x':'y'}}"));
        Answer made = Api.until(
                () -> api.post(maps, "{'metadata':{'generateName':'a'}}"),
                answer -> answer.text("/data/k").equals("2"));
        assertThat(made.text("/metadata/labels/x")).isEqualTo("y");
    }

    @Test
    void a_patch_that_another_write_overtakes_meanwhile_is_tried_again() {
        String pods = "/api/v1/namespaces/" + namespace + "/pods";
        Api.until(
                () -> api.post(pods, "{'metadata':{'name':'a'},'spec':{'containers':[{'name':'c','image':'i'}]}}"),
                answer -> answer.code() == 201);
        AtomicBoolean overtaking = new AtomicBoolean();
        server.on("/v", request -> {
            if (overtaking.getAndSet(false)) {
                api.patch(pods + "/a/status", Api.MERGE, "{'status':{'reason':'Overtaking'}}");
            }
            return allowed();
        });
        String rule = "{'apiGroups':[''],'apiVersions':['v1'],'resources':['pods'],'operations':['UPDATE']}";
        validating("v", webhook("v", server.at("/v"), rule, ""));
        Api.until(
                () -> api.patch(pods + "/a?dryRun=All", Api.MERGE, "{'metadata':{'labels':{'x':'probe'}}}"),
                answer -> server.request() != null);
        overtaking.set(true);

        Answer patched = api.patch(pods + "/a", Api.MERGE, "{'metadata':{'labels':{'x':'y'}}}");

        assertThat(patched.code()).as(patched.message()).isEqualTo(200);
        assertThat(patched.text("/metadata/labels/x")).isEqualTo("y");
        assertThat(overtaking).isFalse();
    }

    @Test
    void tells_what_http_said() {
        server.on("/v", request -> allowed());
        validating("v", webhook("v", server.at("/nowhere"), MAPS, ""));
        Answer refused = Api.until(
                () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"), answer -> answer.code() == 500);
        assertThat(refused.message())
                .isEqualTo("Internal error occurred: failed calling webhook \"v.suite.io\": "
                        + (Server.version() < 23 ? "" : "failed to call webhook: ")
                        + "the server could not find the requested resource");
    }

    @Test
    @Since(value = "1.28", why = "matchConditions")
    void is_called_under_its_conditions_alone() {
        server.on("/v", request -> denied("called"));
        validating(
                "v",
                webhook(
                        "v",
                        server.at("/v"),
                        MAPS,
                        ",'matchConditions':[{'name':'not-mine','expression':'!object.metadata.name.startsWith(\\'mine\\')'},"
                                + "{'name':'made','expression':'request.operation == \\'CREATE\\''}]"));
        Api.until(() -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"), answer -> answer.code() == 400);
        assertThat(api.post(maps, "{'metadata':{'name':'mine'}}").code()).isEqualTo(201);
        assertThat(api.patch(maps + "/mine", Api.MERGE, "{'data':{'k':'v'}}").code())
                .isEqualTo(200);
    }

    @Test
    @Since(value = "1.28", why = "matchConditions")
    void refuses_when_a_condition_fails() {
        server.on("/v", request -> allowed());
        validating(
                "v",
                webhook(
                        "v",
                        server.at("/v"),
                        MAPS,
                        ",'matchConditions':[{'name':'x','expression':'object.data.k == 1'}]"));
        Answer refused = Api.until(
                () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}"), answer -> answer.code() == 403);
        assertThat(refused.message())
                .isEqualTo(
                        "configmaps \"a\" is forbidden: expression 'object.data.k == 1' resulted in error: no such key:"
                                + " data");
        Answer wrong = api.patch(
                made.get(0),
                Api.JSON_PATCH,
                "[{'op':'replace','path':'/webhooks/0/matchConditions/0/expression','value':'object.'}]");
        assertThat(wrong.code()).isEqualTo(422);
        assertThat(wrong.causes().get(0))
                .startsWith("FieldValueInvalid webhooks[0].matchConditions[0].expression: Invalid value: \"object.\":"
                        + " compilation failed: ERROR: <input>:1:");
    }

    private List<JsonNode> reviews(String rules) {
        List<JsonNode> reviews = new CopyOnWriteArrayList<>();
        server.on("/v", request -> {
            reviews.add(request);
            return allowed();
        });
        validating("v", webhook("v", server.at("/v"), MAPS + "," + rules, ""));
        awaitCall();
        reviews.clear();
        return reviews;
    }

    /** Of what others than the system itself did. */
    private static List<String> told(List<JsonNode> reviews, String... pointers) {
        return reviews.stream()
                .map(review -> Stream.of(pointers)
                        .map(pointer -> review.at(pointer).asText())
                        .collect(Collectors.joining(" ")))
                .toList();
    }

    @Test
    void is_asked_about_what_a_request_below_an_object_speaks_of() {
        String pods = "/api/v1/namespaces/" + namespace + "/pods";
        String sets = "/apis/apps/v1/namespaces/" + namespace + "/replicasets";
        List<JsonNode> reviews = reviews(
                "{'apiGroups':[''],'apiVersions':['v1'],'operations':['CREATE','UPDATE'],"
                        + "'resources':['pods/binding','pods/eviction','serviceaccounts/token']},"
                        + "{'apiGroups':[''],'apiVersions':['v1'],'operations':['UPDATE','DELETE'],'resources':['pods']},"
                        + "{'apiGroups':['apps'],'apiVersions':['v1'],'operations':['UPDATE'],'resources':['replicasets/scale']}");
        String pod =
                "{'metadata':{'name':'p'},'spec':{'schedulerName':'none','containers':[{'name':'c','image':'x'}]}}";
        assertThat(api.post(pods, pod).code()).isEqualTo(201);
        api.post(
                sets,
                "{'metadata':{'name':'r'},'spec':{'replicas':0,'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':"
                        + "{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'x'}]}}}}");

        Answer bound = api.post(
                pods + "/p/binding",
                "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'p'},'target':{'kind':'Node','name':'none'}}");
        Answer scaled = api.patch(sets + "/r/scale", Api.MERGE, "{'spec':{'replicas':0}}");
        Answer token = api.post(
                "/api/v1/namespaces/" + namespace + "/serviceaccounts/default/token",
                "{'apiVersion':'authentication.k8s.io/v1','kind':'TokenRequest','spec':{}}");
        Answer evicted = api.post(
                pods + "/p/eviction",
                "{'apiVersion':'policy/v1beta1','kind':'Eviction','metadata':{'name':'p'},'deleteOptions':{'gracePeriodSeconds':0}}");

        assertThat(List.of(bound.code(), scaled.code(), token.code(), evicted.code()))
                .containsExactly(201, 200, 201, 201);
        assertThat(told(reviews, "/operation", "/kind/kind", "/resource/resource", "/subResource", "/name"))
                .containsExactly(
                        "CREATE Binding pods binding p",
                        "UPDATE Scale replicasets scale r",
                        "CREATE TokenRequest serviceaccounts token default",
                        "CREATE Eviction pods eviction p");
        assertThat(told(reviews, "/object/kind", "/oldObject/kind"))
                .containsExactly("Binding ", "Scale Scale", "TokenRequest ", "Eviction ");
        assertThat(api.get(pods + "/p").code()).isEqualTo(404);
    }

    @Test
    void is_told_how_something_is_deleted_but_of_a_collection_no_name() {
        List<JsonNode> reviews = reviews(MAPS);
        String made = api.post(maps, "{'metadata':{'name':'a'}}").text("/metadata/uid");
        api.post(maps, "{'metadata':{'name':'b','labels':{'x':'y'}}}");
        reviews.clear();
        api.delete(
                maps + "/a",
                "{'propagationPolicy':'Background','gracePeriodSeconds':7,'preconditions':{'uid':'" + made + "'}}");
        api.delete(maps + "?labelSelector=x%3Dy");
        assertThat(reviews.get(0).path("options"))
                .isEqualTo(Json.json("{'kind':'DeleteOptions','apiVersion':'meta.k8s.io/v1','gracePeriodSeconds':7,"
                        + "'preconditions':{'uid':'" + made + "'},'propagationPolicy':'Background'}"));
        assertThat(told(reviews, "/name", "/oldObject/metadata/name")).containsExactly("a a", " b");
    }

    @Test
    void may_not_change_where_and_what_an_object_is() {
        server.on("/m", request -> switch (request.path("name").asText()) {
            case "moved" -> patched("[{'op':'replace','path':'/metadata/namespace','value':'default'}]");
            case "other" -> patched("[{'op':'replace','path':'/kind','value':'Secret'}]");
            default -> patched("[{'op':'replace','path':'/metadata/name','value':'named'}]");
        });
        mutating("m", webhook("m", server.at("/m"), MAPS, ""));
        awaitCall();
        Answer moved = api.post(maps, "{'metadata':{'name':'moved'}}");
        assertThat(moved.code()).isEqualTo(400);
        assertThat(moved.message())
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
        Answer other = api.post(maps, "{'metadata':{'name':'other'}}");
        assertThat(other.code()).isEqualTo(500);
        assertThat(other.message()).isEqualTo("converting (v1.Secret) to (core.ConfigMap): unknown conversion");
        assertThat(api.post(maps, "{'metadata':{'name':'x'}}").text("/metadata/name"))
                .isEqualTo("named");
        assertThat(api.patch(maps + "/named", Api.MERGE, "{'data':{'k':'v'}}").code())
                .isEqualTo(200);
    }

    @Test
    void is_asked_again_about_changes_of_the_second_round() {
        List<String> asked = new CopyOnWriteArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            server.on("/" + name, request -> {
                asked.add(name);
                int n = asked.size();
                return name.equals("c")
                        ? allowed()
                        : patched("[{'op':'add','path':'/data/" + name + n + "','value':'1'}]");
            });
            String more = name.equals("b") ? "" : ",'reinvocationPolicy':'IfNeeded'";
            mutating(name, webhook(name, server.at("/" + name), MAPS, more));
        }
        Api.until(
                () -> api.post(maps + "?dryRun=All", "{'metadata':{'name':'probe'},'data':{'k':'v'}}"),
                answer -> asked.containsAll(List.of("a", "b", "c")));
        asked.clear();
        Answer made = api.post(maps, "{'metadata':{'name':'x'},'data':{'k':'v'}}");
        assertThat(asked).containsExactly("a", "b", "c", "a", "c");
        assertThat(made.body().path("data")).hasSize(4);
    }

    @Test
    @Since(value = "1.22", why = "the first version of the policy group")
    void sees_evictions_of_any_version_in_one() {
        String pods = "/api/v1/namespaces/" + namespace + "/pods";
        server.on("/v", request -> allowed());
        String rule = "{'apiGroups':[''],'apiVersions':['v1'],'resources':['pods/eviction'],'operations':['CREATE']}";
        validating("v", webhook("v", server.at("/v"), MAPS + "," + rule, ""));
        awaitCall();
        api.post(
                pods,
                "{'metadata':{'name':'p'},'spec':{'schedulerName':'none','containers':[{'name':'c','image':'x'}]}}");
        api.post(pods + "/p/eviction", "{'apiVersion':'policy/v1beta1','kind':'Eviction','metadata':{'name':'p'}}");
        JsonNode seen = server.request();
        assertThat(seen.at("/object/apiVersion").asText()).isEqualTo("policy/v1");
        assertThat(seen.at("/kind/version").asText()).isEqualTo("v1");
    }

    @Test
    @Since(value = "1.36", why = "the words of these refusals")
    void says_what_is_wrong_with_a_url() {
        String form = "; desired format: https://host[/path]";
        String at = "webhooks[0].clientConfig.url: ";
        assertThat(configuration("127.0.0.1:9443/x").causes())
                .containsExactly("FieldValueRequired " + at + "Required value: url must be a valid URL: parse"
                        + " \"127.0.0.1:9443/x\": first path segment in URL cannot contain colon" + form);
        assertThat(configuration("localhost:9443/x").causes())
                .containsExactlyInAnyOrder(
                        "FieldValueInvalid " + at
                                + "Invalid value: \"localhost\": 'https' is the only allowed URL scheme" + form,
                        "FieldValueInvalid " + at + "Invalid value: \"\": host must be provided" + form);
        assertThat(configuration("HTTPS://my_host:9443/a b").code()).isEqualTo(201);
    }

    private Answer configuration(String url) {
        return api.post(
                "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All",
                "{'metadata':{'name':'" + namespace + "'},'webhooks':[{'name':'a.b.example','sideEffects':'None',"
                        + "'admissionReviewVersions':['v1'],'clientConfig':{'url':'" + url + "'}}]}");
    }
}
