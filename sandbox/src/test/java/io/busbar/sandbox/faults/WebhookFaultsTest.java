package io.busbar.sandbox.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.suite.WebhookServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class WebhookFaultsTest {

    @AutoClose
    private static final Sandbox SANDBOX =
            Sandbox.start(SandboxOptions.defaults().withTls(false));

    @AutoClose
    private static final WebhookServer WEBHOOK = new WebhookServer();

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @BeforeAll
    static void register() throws Exception {
        WEBHOOK.on("/v", request -> WebhookServer.allowed());
        post(
                "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                "{'apiVersion':'admissionregistration.k8s.io/v1','kind':'ValidatingWebhookConfiguration',"
                        + "'metadata':{'name':'v'},'webhooks':[" + webhook("v", "configmaps", 30) + ","
                        + webhook("hasty", "secrets", 1) + "]}");
    }

    private static String webhook(String name, String resource, int seconds) {
        return "{'name':'" + name + ".example.com','clientConfig':" + WEBHOOK.at("/v") + ",'timeoutSeconds':" + seconds
                + ",'rules':[{'apiGroups':[''],'apiVersions':['v1'],'operations':['CREATE'],'resources':['" + resource
                + "']}],'sideEffects':'None','admissionReviewVersions':['v1']}";
    }

    @AfterEach
    void clear() {
        SANDBOX.faults().clear().join();
    }

    @Test
    void a_webhook_is_unreachable_as_often_as_told() throws Exception {
        InjectedFault fault = SANDBOX.faults()
                .inject(Fault.ofWebhook("v.example.com").unreachable().times(2));
        for (int i = 0; i < 2; i++) {
            assertThat(create("unreached").path("message").asText())
                    .startsWith("Internal error occurred: failed calling webhook \"v.example.com\":"
                            + " failed to call webhook: Post \"https://127.0.0.1:")
                    .contains(": connect: connection refused");
        }
        assertThat(fault.hits()).isEqualTo(2);
        assertThat(create("reached").path("kind").asText()).isEqualTo("ConfigMap");
    }

    @Test
    void a_webhook_answers_too_late() throws Exception {
        SANDBOX.faults().inject(Fault.ofWebhook("*").delayed(Duration.ofMinutes(1)));
        assertThat(create("secrets", "late").path("message").asText()).endsWith("context deadline exceeded");
    }

    @Test
    void a_webhook_answers_with_an_error() throws Exception {
        SANDBOX.faults().inject(Fault.ofWebhook("*").refused(503));
        assertThat(create("troubled").path("message").asText())
                .endsWith("the server is currently unable to handle the request");
    }

    @Test
    void faults_of_other_webhooks_and_of_requests_are_other_faults() throws Exception {
        InjectedFault other =
                SANDBOX.faults().inject(Fault.ofWebhook("w.example.com").unreachable());
        InjectedFault any =
                SANDBOX.faults().inject(Fault.on("*", "*").refused(500).named("nobody"));
        assertThat(create("other").path("kind").asText()).isEqualTo("ConfigMap");
        assertThat(other.hits()).isZero();
        assertThat(any.hits()).isZero();
    }

    @Test
    void only_webhooks_are_unreachable() {
        assertThatThrownBy(() -> Fault.on("create", "pods").unreachable())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not create pods");
    }

    private JsonNode create(String name) throws Exception {
        return create("configmaps", name);
    }

    private JsonNode create(String plural, String name) throws Exception {
        return post("/api/v1/namespaces/default/" + plural, "{'metadata':{'name':'" + name + "'}}");
    }

    private static JsonNode post(String path, String body) throws Exception {
        return JSON.readTree(HTTP.send(
                        HttpRequest.newBuilder(URI.create(SANDBOX.url() + path))
                                .header("Authorization", "Bearer " + SANDBOX.token())
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(body.replace('\'', '"')))
                                .build(),
                        BodyHandlers.ofString())
                .body());
    }
}
