package io.busbar.runtime.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.conversion.Versions;
import io.busbar.admission.server.ReviewLog;
import io.busbar.common.bus.Addresses;
import io.busbar.common.trace.Tracing;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.DeclaredBundle;
import io.busbar.runtime.bundle.KindBundle;
import io.busbar.runtime.bundle.Widget;
import io.busbar.runtime.management.CertificateFolder;
import io.busbar.runtime.management.ManagementServer;
import io.busbar.runtime.management.Programs;
import io.busbar.runtime.options.BindAddress;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.options.WebhookOptions;
import io.busbar.runtime.telemetry.Telemetry;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What makes /readyz fail once all has been well. */
class ReadinessTest {

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http = HttpClient.newHttpClient();
    private final PrometheusMeterRegistry meters = Telemetry.registry();
    private final Queue<HttpServerResponse> watches = new ConcurrentLinkedQueue<>();
    private volatile boolean unconverted;
    private KubernetesClient client;
    private OperatorEnvironment environment;

    @BeforeEach
    void start() throws Exception {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(0, "127.0.0.1")
                .await(60, TimeUnit.SECONDS);
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(Config.empty())
                        .withMasterUrl("http://127.0.0.1:" + server.actualPort())
                        .build())
                .build();
        environment = new OperatorEnvironment(vertx, client, meters, Tracing.off(), "test", "test");
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        vertx.close().await(60, TimeUnit.SECONDS);
    }

    @Test
    void fails_while_a_watch_is_silent_for_longer_than_it_may_be() throws Exception {
        Operator operator = new Operator(
                environment, options(Duration.ofMillis(1500), Path.of("")), List.of(new KindBundle(Widget.class)));
        operator.start().await(60, TimeUnit.SECONDS);
        int port = operator.management().ports().get(0);
        try {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(readyz(port))
                            .satisfies(answer -> assertThat(answer.statusCode()).isEqualTo(500))
                            .extracting(HttpResponse::body, STRING)
                            .contains("[+]caches ok", "[-]watches failed: no sign of life from the API server: ")
                            .containsPattern("widgets[^,]* for [1-9][0-9]* s"));

            await().atMost(Duration.ofSeconds(60)).until(() -> {
                watches.forEach(ReadinessTest::sayBookmark);
                return readyz(port).statusCode() == 200;
            });
        } finally {
            operator.stop().await(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void fails_when_the_serving_certificate_has_expired(@TempDir Path folder) throws Exception {
        Instant issued = Instant.now().minus(2, ChronoUnit.DAYS);
        X509Certificate certificate = CertificateFolder.write(folder, issued);
        ManagementServer management = management(folder, serving(folder));

        HttpResponse<String> answer = readyz(management.ports().get(0));
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body())
                .contains("[-]webhooks failed: the serving certificate of "
                        + certificate.getSubjectX500Principal() + " has expired at "
                        + certificate.getNotAfter().toInstant());
        management.stop().await(60, TimeUnit.SECONDS);
    }

    @Test
    void fails_when_the_webhook_server_does_not_answer_itself(@TempDir Path folder) throws Exception {
        CertificateFolder.write(folder);
        WebhookServing serving = serving(folder);
        ManagementServer management = management(folder, serving);
        int port = management.ports().get(0);
        assertThat(readyz(port).body()).isEqualTo("ok");

        serving.stop().await(60, TimeUnit.SECONDS);
        HttpResponse<String> answer = readyz(port);
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("[-]webhooks failed: ");
        management.stop().await(60, TimeUnit.SECONDS);
    }

    /** It is asked to convert by way of a Service, which leads to nobody who is not ready. */
    @Test
    void holds_while_a_kind_cannot_be_listed_as_nobody_else_converts_it(@TempDir Path folder) throws Exception {
        CertificateFolder.write(folder);
        unconverted = true;
        Operator operator =
                new Operator(environment, options(Duration.ZERO, folder), List.of(new Converting(Widget.class)));
        Future<Void> started = operator.start();
        try {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !operator.management().ports().isEmpty());
            int port = operator.management().ports().get(0);
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(readyz(port))
                            .satisfies(answer -> assertThat(answer.statusCode()).isEqualTo(200)));
            assertThat(readyz(port, "?verbose").body())
                    .contains("[+]storage ok: widgets.example.com is listed once this webhook is asked to convert it");
            assertThat(started.isComplete()).isFalse();

            unconverted = false;
            started.await(60, TimeUnit.SECONDS);
            assertThat(readyz(port, "?verbose").body()).contains("[+]storage ok\n");
        } finally {
            operator.stop().await(60, TimeUnit.SECONDS);
        }
    }

    /** By a Service that has not heard of it yet. */
    @Test
    void fails_as_soon_as_it_stops_and_webhooks_are_answered_for_the_delay(@TempDir Path folder) throws Exception {
        CertificateFolder.write(folder);
        int webhooks = SharedVertxTest.freePort();
        Operator operator = new Operator(
                environment, delayed(folder, webhooks, Duration.ofMinutes(1)), List.of(new Converting(Widget.class)));
        operator.start().await(60, TimeUnit.SECONDS);
        int port = operator.management().ports().get(0);
        assertThat(convert(webhooks).getHeader("connection")).isNull();

        Future<Void> stopped = operator.stop();

        assertThat(readyz(port).body()).contains("[-]running failed: the operator stops");
        for (int i = 0; i < 3; i++) {
            assertThat(convert(webhooks).getHeader("connection")).isEqualTo("close");
        }
        assertThat(stopped.isComplete()).isFalse();
    }

    @Test
    void webhooks_end_when_the_delay_is_over(@TempDir Path folder) throws Exception {
        CertificateFolder.write(folder);
        int webhooks = SharedVertxTest.freePort();
        Operator operator = new Operator(
                environment, delayed(folder, webhooks, Duration.ofMillis(100)), List.of(new Converting(Widget.class)));
        operator.start().await(60, TimeUnit.SECONDS);

        operator.stop().await(60, TimeUnit.SECONDS);

        assertThatThrownBy(() -> convert(webhooks)).hasRootCauseInstanceOf(ConnectException.class);
    }

    private static OperatorOptions delayed(Path certificates, int webhooks, Duration delay) {
        OperatorOptions options = options(Duration.ZERO, certificates);
        return options.toBuilder()
                .shutdownDelay(delay)
                .webhooks(new WebhookOptions(
                        new BindAddress("127.0.0.1", webhooks, true),
                        options.webhooks().certificates(),
                        Optional.empty(),
                        Optional.empty(),
                        "busbar-webhook-service",
                        false))
                .build();
    }

    private HttpClientResponse convert(int port) throws Exception {
        io.vertx.core.http.HttpClient asking = vertx.createHttpClient(
                new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false));
        return asking.request(HttpMethod.POST, port, "127.0.0.1", "/convert")
                .compose(request -> request.putHeader("content-type", "application/json")
                        .send("{}")
                        .compose(response -> response.end().map(response)))
                .await(60, TimeUnit.SECONDS);
    }

    private record Converting(Class<Widget> kind) implements Bundle {

        @Override
        public String name() {
            return "widget";
        }

        @Override
        public List<Controller<?>> controllers(BundleContext context) {
            return new KindBundle(kind).controllers(context);
        }

        @Override
        public List<Versions<?>> conversions() {
            return List.of(Versions.hub(kind));
        }
    }

    private WebhookServing serving(Path certificates) throws Exception {
        WebhookServing serving = new WebhookServing(
                environment, VertxScope.take(vertx), options(Duration.ZERO, certificates), ReviewLog.off(), () -> true);
        DeclaredBundle widget =
                DeclaredBundle.of(new KindBundle(Widget.class), BundleContext.declaring("busbar-system"));
        serving.start(List.of(widget), List.of(widget))
                .compose(started -> serving.serve(widget, Map.of("/allow", request -> AdmissionDecision.allowed())))
                .await(60, TimeUnit.SECONDS);
        return serving;
    }

    private ManagementServer management(Path certificates, WebhookServing serving) throws Exception {
        ManagementServer management = new ManagementServer(vertx, client, meters, Addresses.standard(), Programs.any());
        management.readyWhen("webhooks", serving::problem);
        OperatorOptions options = options(Duration.ZERO, certificates);
        management.start(options.metrics(), options.probes()).await(60, TimeUnit.SECONDS);
        return management;
    }

    private static OperatorOptions options(Duration maxWatchStaleness, Path certificates) {
        return OperatorOptions.besideCluster("busbar").toBuilder()
                .operators(Set.of("widget"))
                .maxWatchStaleness(maxWatchStaleness)
                .webhooks(new WebhookOptions(
                        BindAddress.loopback(),
                        new WebhookOptions.Certificates.Mounted(certificates, "tls.crt", "tls.key"),
                        Optional.empty(),
                        Optional.empty(),
                        "busbar-webhook-service",
                        false))
                .build();
    }

    /** An API server that has no objects, and whose watches say nothing unless they are told to. */
    private void answer(HttpServerRequest request) {
        HttpServerResponse response = request.response().putHeader("content-type", "application/json");
        if (request.getParam("sendInitialEvents") != null) {
            response.setStatusCode(422).end("{\"kind\":\"Status\",\"code\":422,\"message\":\"no\"}");
        } else if (request.getParam("watch") != null) {
            response.setChunked(true).writeHead();
            watches.add(response);
        } else if (unconverted && request.path().endsWith("/widgets")) {
            response.setStatusCode(500)
                    .end(
                            "{\"kind\":\"Status\",\"code\":500,\"message\":\"conversion webhook for example.com/v0, Kind=Widget"
                                    + " failed: no endpoints available\"}");
        } else if (request.path().equals("/apis/example.com/v1")) {
            response.end("{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"widgets\",\"kind\":\"Widget\"}]}");
        } else {
            response.end("{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"10\"},\"items\":[]}");
        }
    }

    private static void sayBookmark(HttpServerResponse watch) {
        if (!watch.closed()) {
            watch.write("{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"11\"}}}\n");
        }
    }

    private HttpResponse<String> readyz(int port) throws Exception {
        return readyz(port, "");
    }

    private HttpResponse<String> readyz(int port, String query) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + port + "/readyz" + query);
        return http.send(
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
    }
}
