package io.busbar.admission.server;

import static io.busbar.admission.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.certificates.CertificateSource;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.certificates.MountedCertificates;
import io.busbar.admission.conversion.Conversions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartTest {

    private static final Map<String, AdmissionRule> RULES = Map.of("/allow", request -> AdmissionDecision.allowed());
    private static final CertificateSource EPHEMERAL = new EphemeralCertificates(List.of("localhost"));

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void stop() {
        await(vertx.close());
    }

    @Test
    void fails_with_the_file_when_there_is_no_certificate_and_leaves_nothing_running(@TempDir Path folder) {
        assertThatThrownBy(() -> await(start(0, new MountedCertificates(folder))))
                .hasMessage(folder.resolve("tls.crt") + ": no such file");
        assertThat(vertx.deploymentIDs()).isEmpty();
    }

    @Test
    void fails_with_the_port_when_it_is_taken_and_leaves_nothing_running() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> await(start(taken.getLocalPort(), EPHEMERAL)))
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
        assertThat(vertx.deploymentIDs()).isEmpty();
    }

    @Test
    void refuses_a_path_that_no_request_could_have() {
        Map<String, AdmissionRule> rules = Map.of("mutate-pod", request -> AdmissionDecision.allowed());

        assertThatThrownBy(() -> AdmissionServer.start(
                        vertx, AdmissionServerOptions.defaults(), rules, EPHEMERAL, new SimpleMeterRegistry()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not a path for a webhook: 'mutate-pod'");
    }

    @Test
    void answers_by_rules_that_are_replaced_while_it_runs() {
        try (TestServer running = new TestServer(RULES)) {
            assertThat(code(running, "/allow")).isEqualTo(200);
            assertThat(code(running, "/late")).isEqualTo(404);

            running.server.serve(Map.of(), Conversions.none(), Set.of("/late"));
            assertThat(code(running, "/allow")).isEqualTo(404);
            assertThat(code(running, "/late")).isEqualTo(503);

            running.server.serve(Map.of("/late", request -> AdmissionDecision.allowed()), Conversions.none(), Set.of());
            assertThat(code(running, "/late")).isEqualTo(200);
            assertThatThrownBy(() -> running.server.serve(
                            Map.of("late", request -> AdmissionDecision.allowed()), Conversions.none(), Set.of()))
                    .hasMessage("not a path for a webhook: 'late'");
            assertThat(code(running, "/late")).isEqualTo(200);
            await(running.server.selfCheck());
        }
    }

    private static int code(TestServer running, String path) {
        return running.send(HttpMethod.POST, path, "application/json", Reviews.podCreate())
                .code();
    }

    @Test
    void tells_listeners_of_the_certificate_at_once_and_fails_as_they_do() {
        AdmissionServer server = await(start(0, EPHEMERAL));

        await(server.onCertificate(
                certificate -> assertThat(certificate.caBundle()).contains("BEGIN CERTIFICATE")));
        assertThatThrownBy(() -> await(server.onCertificate(certificate -> {
                    throw new IllegalStateException("the API server is away");
                })))
                .hasMessage("the API server is away");
        await(server.close());
    }

    @Test
    void two_servers_of_one_vertx_do_not_share_a_free_port() {
        AdmissionServer one = await(start(0, EPHEMERAL));
        AdmissionServer other = await(start(0, EPHEMERAL));

        assertThat(one.actualPort()).isNotEqualTo(other.actualPort());
        await(one.close());
        await(other.selfCheck());
        await(other.close());
    }

    private Future<AdmissionServer> start(int port, CertificateSource source) {
        return AdmissionServer.start(
                vertx,
                AdmissionServerOptions.defaults().on("127.0.0.1", port),
                RULES,
                source,
                new SimpleMeterRegistry());
    }
}
