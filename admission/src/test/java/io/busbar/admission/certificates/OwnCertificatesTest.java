package io.busbar.admission.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.admission.FakeApiServer;
import io.busbar.common.ObjectKey;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OwnCertificatesTest {

    private static final ObjectKey SECRET = ObjectKey.of("system", "webhook-certs");
    private static final List<String> NAMES = OwnCertificates.serviceNames(ObjectKey.of("system", "webhook"));

    private final FakeApiServer server = new FakeApiServer();
    private final KubernetesClient client = server.client();
    private final MovingClock clock = new MovingClock("2026-01-01T00:00:00Z");

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void replicas_that_start_at_once_agree_on_one_certificate() throws Exception {
        ExecutorService replicas = Executors.newFixedThreadPool(4);
        List<Future<ServingCertificate>> reads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            reads.add(replicas.submit(() -> replica().read()));
        }
        Set<String> served = new HashSet<>();
        for (Future<ServingCertificate> read : reads) {
            served.add(read.get().chainPem());
        }
        replicas.shutdown();

        assertThat(served).hasSize(1);
        assertThat(server.writes()).isEqualTo(1);
        assertThat(NAMES).containsExactly("webhook.system.svc", "webhook.system.svc.cluster.local");
    }

    @Test
    void writes_nothing_until_something_is_due_and_others_notice_then() throws Exception {
        OwnCertificates one = replica();
        OwnCertificates other = replica();
        ServingCertificate first = one.read();
        other.read();
        one.read();
        assertThat(server.writes()).isEqualTo(1);

        clock.advance(Duration.ofDays(250));
        ServingCertificate renewed = one.read();

        assertThat(renewed.servesAs(first)).isFalse();
        assertThat(other.read().servesAs(renewed)).isTrue();
        assertThat(renewed.caBundle()).isEqualTo(first.caBundle());
        assertThat(server.writes()).isEqualTo(2);
    }

    @Test
    void a_deleted_secret_comes_back_as_it_was() throws Exception {
        OwnCertificates replica = replica();
        ServingCertificate first = replica.read();
        client.secrets().inNamespace("system").withName("webhook-certs").delete();

        assertThat(replica.read().servesAs(first)).isTrue();
        assertThat(replica().read().servesAs(first)).isTrue();
    }

    @Test
    void a_spoilt_secret_is_put_right() throws Exception {
        OwnCertificates replica = replica();
        ServingCertificate first = replica.read();
        Secret spoilt = secret();
        spoilt.setData(Map.of("tls.crt", "aGVsbG8="));
        client.resource(spoilt).update();

        assertThat(replica.read().servesAs(first)).isTrue();
        assertThat(secret().getData()).containsOnlyKeys("ca.crt", "ca.key", "tls.crt", "tls.key");
    }

    @Test
    void an_api_server_that_is_away_is_named() {
        OwnCertificates replica = replica();
        server.close();

        assertThatThrownBy(replica::read)
                .isInstanceOf(CertificateUnavailableException.class)
                .hasMessageStartingWith("Secret system/webhook-certs: ");
    }

    private Secret secret() {
        return client.secrets().inNamespace("system").withName("webhook-certs").get();
    }

    private OwnCertificates replica() {
        return new OwnCertificates(client, SECRET, NAMES, clock);
    }
}
