package io.busbar.runtime.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.BusCodec;
import io.busbar.common.bus.ExternalChange;
import io.busbar.runtime.bundle.KindBundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.bundle.Widget;
import io.busbar.runtime.options.BindAddress;
import io.busbar.runtime.options.MetricsOptions;
import io.busbar.runtime.options.WebhookOptions.Certificates.Mounted;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Against a cluster where roles count, with the rights that the generated manifests give the operator, and no others.
 */
@TestInstance(Lifecycle.PER_CLASS)
class SecureMetricsTest {

    private final Vertx vertx = Vertx.vertx();
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private Sandbox sandbox;
    private KubernetesClient admin;
    private KubernetesClient manager;
    private ManagementServer server;

    private record Answer(int code, String text, HttpVersion version, X509Certificate certificate) {}

    @BeforeAll
    void runs_a_cluster_with_the_generated_roles() throws Exception {
        sandbox = wait(VertxSandbox.start(vertx, SandboxOptions.defaults().withRbac(true)));
        Config config = Config.fromKubeconfig(sandbox.kubeconfig());
        admin = new KubernetesClientBuilder().withConfig(config).build();
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("system")
                        .endMetadata()
                        .build())
                .create();
        for (String file : List.of(
                "metrics_auth_role", "metrics_auth_role_binding", "metrics_reader_role", "zpages_reader_role")) {
            String yaml = OperatorDefinition.of(new KindBundle(Widget.class))
                    .manifests()
                    .files()
                    .get("config/rbac/" + file + ".yaml");
            admin.resource(yaml).create();
        }
        manager = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(config)
                        .withOauthToken(account("controller-manager"))
                        .build())
                .build();
    }

    @AfterEach
    void stop() throws Exception {
        wait(server.stop());
    }

    @AfterAll
    void close() throws Exception {
        manager.close();
        admin.close();
        wait(vertx.close());
    }

    @Test
    void are_for_those_whom_the_cluster_allows_the_path() throws Exception {
        start(Optional.empty(), false);
        String prometheus = account("prometheus");
        admin.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("prometheus")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "metrics-reader")
                        .addNewSubject("", "ServiceAccount", "prometheus", "system")
                        .build())
                .create();

        assertThat(get("").code()).isEqualTo(401);
        assertThat(get("Basic dXNlcjpwYXNz").text()).contains("a token of the cluster is needed");
        assertThat(get("Bearer nobodys")).satisfies(answer -> {
            assertThat(answer.code()).isEqualTo(401);
            assertThat(answer.text()).contains("does not know this token").doesNotContain("nobodys");
        });
        assertThat(get("Bearer " + account("anyone"))).satisfies(answer -> {
            assertThat(answer.code()).isEqualTo(403);
            assertThat(answer.text())
                    .contains("system:serviceaccount:system:anyone may not get /metrics")
                    .contains("metrics-reader");
        });
        assertThat(get("Bearer " + prometheus)).satisfies(answer -> {
            assertThat(answer.code()).isEqualTo(200);
            assertThat(answer.text()).contains("certwatcher_certificate_expiry_timestamp_seconds{server=\"metrics\"}");
        });
    }

    @Test
    void what_the_operator_says_of_itself_is_for_those_whom_the_cluster_allows_the_path() throws Exception {
        start(Optional.empty(), false);
        String support = "Bearer " + account("support");
        admin.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("support")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "zpages-reader")
                        .addNewSubject("", "ServiceAccount", "support", "system")
                        .build())
                .create();

        for (String path : List.of("/statusz", "/flagz")) {
            assertThat(send(HttpMethod.GET, path, "").code()).isEqualTo(401);
            assertThat(send(HttpMethod.GET, path, "Bearer " + account("anyone")))
                    .satisfies(answer -> {
                        assertThat(answer.code()).isEqualTo(403);
                        assertThat(answer.text())
                                .contains("system:serviceaccount:system:anyone may not get " + path)
                                .contains("zpages-reader");
                    });
            assertThat(send(HttpMethod.GET, path, support)).satisfies(answer -> {
                assertThat(answer.code()).isEqualTo(200);
                assertThat(answer.text()).contains("not meant to be machine parseable");
            });
        }
        assertThat(send(HttpMethod.GET, "/metrics", support).code()).isEqualTo(403);
    }

    @Test
    void take_events_of_those_whom_the_cluster_allows_to_post_them() throws Exception {
        BusCodec.registerAll(vertx.eventBus());
        BlockingQueue<ExternalChange> taken = new LinkedBlockingQueue<>();
        wait(vertx.eventBus()
                .<ExternalChange>consumer("git.pushes", message -> taken.add(message.body()))
                .completion());
        start(Optional.empty(), false);
        server.events().declare(List.of("git.pushes", "standby"));
        server.events().open(List.of("git.pushes"));
        String git = "Bearer " + account("git");
        admin.resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName("git")
                        .endMetadata()
                        .addNewRule()
                        .withNonResourceURLs("/events/git.pushes", "/events/standby", "/events/other")
                        .withVerbs("post")
                        .endRule()
                        .build())
                .create();
        admin.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("git")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "git")
                        .addNewSubject("", "ServiceAccount", "git", "system")
                        .build())
                .create();

        assertThat(post("/events/git.pushes/ns/a", "").code()).isEqualTo(401);
        assertThat(post("/events/git.pushes/ns/a", "Bearer " + account("anyone")))
                .satisfies(answer -> {
                    assertThat(answer.code()).isEqualTo(403);
                    assertThat(answer.text())
                            .contains("may not post /events/git.pushes")
                            .contains("the verb post allows it");
                });
        assertThat(post("/events/secret.source/ns/a", git).code()).isEqualTo(403);
        assertThat(post("/events/other/ns/a", git).code()).isEqualTo(404);
        assertThat(post("/events/standby/ns/a", git).code()).isEqualTo(503);
        assertThat(taken).isEmpty();

        assertThat(post("/events/git.pushes/ns/a", git).code()).isEqualTo(202);
        assertThat(post("/events/git.pushes/cluster-scoped", git).code()).isEqualTo(202);
        assertThat(taken.poll(60, TimeUnit.SECONDS)).isEqualTo(new ExternalChange(ObjectKey.of("ns", "a")));
        assertThat(taken.poll(60, TimeUnit.SECONDS)).isEqualTo(new ExternalChange(ObjectKey.of("cluster-scoped")));
        server.events().only((source, key) -> key.name().equals("a"));
        assertThat(post("/events/git.pushes/ns/b", git).code()).isEqualTo(503);
        assertThat(post("/events/git.pushes/ns/a", git).code()).isEqualTo(202);
    }

    @Test
    void say_so_when_the_api_server_cannot_be_asked() throws Exception {
        try (KubernetesClient nowhere = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(Config.empty())
                        .withMasterUrl("http://127.0.0.1:1")
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build()) {
            server = new ManagementServer(vertx, nowhere, meters, Addresses.standard(), Programs.any());
            wait(server.start(
                    new MetricsOptions(BindAddress.loopback(), true, Optional.empty(), false), BindAddress.off()));
            assertThat(get("Bearer x").code()).isEqualTo(500);
        }
    }

    @Test
    void speak_http_2_only_if_they_are_told_to() throws Exception {
        start(Optional.empty(), false);
        assertThat(get("").version()).isEqualTo(HttpVersion.HTTP_1_1);
        wait(server.stop());
        start(Optional.empty(), true);
        assertThat(get("").version()).isEqualTo(HttpVersion.HTTP_2);
    }

    @Test
    void are_served_with_a_mounted_certificate_and_with_the_next_one(@TempDir Path folder) throws Exception {
        X509Certificate first = CertificateFolder.write(folder);
        start(Optional.of(new Mounted(folder, "tls.crt", "tls.key")), false);
        assertThat(get("").certificate()).isEqualTo(first);

        X509Certificate second = CertificateFolder.write(folder);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(get("").certificate()).isEqualTo(second));
    }

    private void start(Optional<Mounted> certificate, boolean http2) throws Exception {
        server = new ManagementServer(vertx, manager, meters, Addresses.standard(), Programs.any());
        wait(server.start(new MetricsOptions(BindAddress.loopback(), true, certificate, http2), BindAddress.off()));
    }

    private Answer get(String authorization) throws Exception {
        return send(HttpMethod.GET, "/metrics", authorization);
    }

    private Answer post(String path, String authorization) throws Exception {
        return send(HttpMethod.POST, path, authorization);
    }

    private Answer send(HttpMethod method, String path, String authorization) throws Exception {
        HttpClientOptions options = new HttpClientOptions()
                .setSsl(true)
                .setTrustAll(true)
                .setVerifyHost(false)
                .setUseAlpn(true)
                .setProtocolVersion(HttpVersion.HTTP_2);
        var client = vertx.createHttpClient(options);
        Future<Answer> answer = client.request(new RequestOptions()
                        .setMethod(method)
                        .setHost("127.0.0.1")
                        .setPort(server.ports().get(0))
                        .setURI(path))
                .compose(request -> {
                    if (!authorization.isEmpty()) {
                        request.putHeader("Authorization", authorization);
                    }
                    return request.send()
                            .compose(response -> response.body()
                                    .map(Buffer::toString)
                                    .map(text -> new Answer(
                                            response.statusCode(),
                                            text,
                                            response.version(),
                                            certificate(response.request()))));
                });
        return wait(answer.eventually(client::close));
    }

    private static X509Certificate certificate(io.vertx.core.http.HttpClientRequest request) {
        try {
            Certificate[] peer = request.connection().sslSession().getPeerCertificates();
            return (X509Certificate) peer[0];
        } catch (IOException unverified) {
            throw new AssertionError(unverified);
        }
    }

    private String account(String name) {
        admin.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace("system")
                        .withName(name)
                        .endMetadata()
                        .build())
                .serverSideApply();
        TokenRequest issued =
                admin.serviceAccounts().inNamespace("system").withName(name).tokenRequest();
        return issued.getStatus().getToken();
    }

    private static <T> T wait(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
