package io.busbar.reconciler.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.busbar.reconciler.write.ApiRequests;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClientLeasesTest {

    private static final Duration LONG = Duration.ofSeconds(10);
    private static final String PATH = "/apis/coordination.k8s.io/v1/namespaces/ns/leases/leader";

    private CannedApi api;
    private Leases leases;

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        leases = new ClientLeases(new ApiRequests(api.client()), ObjectKey.of("ns", "leader"));
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
    }

    @Test
    void one_call_is_one_request() {
        Lease lease = new LeaseBuilder()
                .withNewMetadata()
                .withName("leader")
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity("me")
                .endSpec()
                .build();
        Lease created = leases.create(lease, LONG);
        Lease updated = leases.update(created, LONG);
        api.answer(request -> Answer.failure(404, "none"));

        assertThat(leases.get(LONG)).isNull();
        assertThat(updated.getSpec().getHolderIdentity()).isEqualTo("me");
        assertThat(api.received())
                .extracting(request -> request.method() + " " + request.path())
                .containsExactly("POST " + PATH.replace("/leader", ""), "PUT " + PATH, "GET " + PATH);
        assertThat(api.received().get(1).body().getJsonObject("metadata").getString("resourceVersion"))
                .isEqualTo(created.getMetadata().getResourceVersion());
    }

    @Test
    void tells_why_the_server_refuses() {
        api.answer(request -> Answer.failure(403, "pod-1 cannot get leases"));

        assertThatThrownBy(() -> leases.get(LONG)).hasMessage("GET " + PATH + ": pod-1 cannot get leases");
    }

    @Test
    void an_answer_that_is_late_is_none() {
        CountDownLatch tooLate = new CountDownLatch(1);
        api.echoAfter(tooLate);
        try {
            assertThatThrownBy(() -> leases.get(Duration.ofMillis(50)))
                    .hasMessage("GET " + PATH + ": no answer within 50 ms");
        } finally {
            tooLate.countDown();
        }
    }
}
