package io.busbar.admission.server;

import static io.busbar.admission.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.certificates.MountedCertificates;
import io.busbar.admission.certificates.ServingCertificate;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateRotationTest {

    private static final Buffer REVIEW = Buffer.buffer(Reviews.podCreate());

    @TempDir
    Path folder;

    private int generation;

    @Test
    void a_certificate_is_replaced_under_load_without_a_failed_review() throws Exception {
        ServingCertificate before = mounted();
        try (TestServer server = server()) {
            assertThat(shown(server)).isEqualTo(before.chain().get(0));
            AtomicBoolean stopping = new AtomicBoolean();
            AtomicInteger answered = new AtomicInteger();
            List<Future<Void>> loads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                // Half of them on connections that stay, half with a handshake for each review.
                loads.add(load(server, server.client(i % 2 == 0), stopping, answered));
            }

            ServingCertificate after = mounted();
            awaitShown(server, after.chain().get(0));
            int sinceThen = answered.get() + 200;
            awaitAtLeast(server, answered, sinceThen);
            stopping.set(true);
            for (Future<Void> load : loads) {
                await(load);
            }
        }
    }

    @Test
    void the_last_good_certificate_stays_when_the_new_one_is_unusable() throws Exception {
        ServingCertificate good = mounted();
        try (TestServer server = server()) {
            Files.writeString(folder.resolve("..data").toRealPath().resolve("tls.crt"), "garbage");
            awaitAtLeast(server, "certwatcher.read.certificate.errors", 1);
            assertThat(shown(server)).isEqualTo(good.chain().get(0));

            ServingCertificate better = mounted();
            awaitShown(server, better.chain().get(0));
        }
    }

    private TestServer server() {
        return new TestServer(
                AdmissionServerOptions.defaults(),
                Map.of("/allow", request -> AdmissionDecision.allowed()),
                new MountedCertificates(folder, Duration.ofMillis(50)));
    }

    /** Mounts a new certificate as the kubelet does: a new folder, and a link that is replaced at once. */
    private ServingCertificate mounted() throws IOException {
        ServingCertificate certificate = new EphemeralCertificates(List.of("127.0.0.1")).read();
        Path content = Files.createDirectory(folder.resolve("..generation-" + generation++));
        Files.writeString(content.resolve("tls.crt"), certificate.chainPem());
        Files.writeString(content.resolve("tls.key"), certificate.keyPem());
        Path link = Files.createSymbolicLink(folder.resolve("..data_tmp"), content.getFileName());
        Files.move(link, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        return certificate;
    }

    private static Future<Void> load(
            TestServer server, HttpClient client, AtomicBoolean stopping, AtomicInteger answered) {
        return server.send(client, HttpMethod.POST, "/allow", "application/json", REVIEW)
                .compose(reply -> {
                    if (reply.code() != 200) {
                        return Future.failedFuture("answered " + reply);
                    }
                    answered.incrementAndGet();
                    return stopping.get() ? Future.succeededFuture() : load(server, client, stopping, answered);
                });
    }

    private static X509Certificate shown(TestServer server) throws Exception {
        NetSocket socket = server.openSocket();
        X509Certificate certificate = (X509Certificate) socket.sslSession().getPeerCertificates()[0];
        await(socket.close());
        return certificate;
    }

    private static void awaitShown(TestServer server, X509Certificate expected) throws Exception {
        for (int attempt = 0; attempt < 200 && !shown(server).equals(expected); attempt++) {
            pause(server, 20);
        }
        assertThat(shown(server)).isEqualTo(expected);
    }

    private static void awaitAtLeast(TestServer server, AtomicInteger counter, int number) {
        for (int attempt = 0; attempt < 1000 && counter.get() < number; attempt++) {
            pause(server, 10);
        }
        assertThat(counter.get()).isGreaterThanOrEqualTo(number);
    }

    private static void awaitAtLeast(TestServer server, String counter, int number) {
        for (int attempt = 0; attempt < 1000 && server.registry.counter(counter).count() < number; attempt++) {
            pause(server, 10);
        }
        assertThat(server.registry.counter(counter).count()).isGreaterThanOrEqualTo(number);
    }

    private static void pause(TestServer server, long millis) {
        Promise<Void> promise = Promise.promise();
        server.vertx.setTimer(millis, timer -> promise.complete());
        await(promise.future());
    }
}
