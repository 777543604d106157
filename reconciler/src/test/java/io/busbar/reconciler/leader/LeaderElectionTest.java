package io.busbar.reconciler.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.busbar.reconciler.CannedApi.Received;
import io.busbar.reconciler.EventRecorder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaderElectionTest {

    private static final ObjectKey LEASE = ObjectKey.of("ns", "lease");
    private static final String COLLECTION = "/apis/coordination.k8s.io/v1/namespaces/ns/leases";
    private static final LeaderElectionOptions QUICK =
            new LeaderElectionOptions(LEASE, Duration.ofSeconds(1), Duration.ofMillis(800), Duration.ofMillis(20));

    private final Fence fence = new Fence();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final EventRecorder events = new EventRecorder() {
        @Override
        public void normal(HasMetadata regarding, String reason, String action, String note) {
            told.add(regarding.getKind() + " " + reason + " " + note);
        }

        @Override
        public void warning(HasMetadata regarding, String reason, String action, String note) {
            throw new AssertionError(note);
        }
    };
    private CannedApi api;
    private LeaderElection election;
    private volatile JsonObject stored;

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        api.answer(this::leaseServer);
        election = new LeaderElection(QUICK, api.client(), fence, "pod", events, meters);
    }

    @AfterEach
    void stop() throws Exception {
        await(election.release());
        api.close();
    }

    private Answer leaseServer(Received request) {
        if (request.method().equals("GET")) {
            return stored == null ? Answer.failure(404, "none") : new Answer(200, stored);
        }
        Answer answer = api.echo(request);
        stored = answer.body();
        return answer;
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private double leads() {
        return meters.get("leader_election_master_status")
                .tag("name", "lease")
                .gauge()
                .value();
    }

    @Test
    void leads_tells_of_it_renews_and_releases() throws Exception {
        assertThat(leads()).isZero();
        election.start();
        await(election.led());

        assertThat(leads()).isOne();
        assertThat(fence.isOpen()).isTrue();
        List<Received> requests = api.await(4);
        assertThat(requests).extracting(Received::method).startsWith("GET", "POST", "PUT", "PUT");
        assertThat(requests).extracting(Received::path).startsWith(COLLECTION + "/lease", COLLECTION);
        String identity = stored.getJsonObject("spec").getString("holderIdentity");
        assertThat(identity).matches("pod_[0-9a-f-]{36}");
        assertThat(told).containsExactly("Lease LeaderElection " + identity + " became leader");

        await(election.release());
        assertThat(stored.getJsonObject("spec").getString("holderIdentity")).isEmpty();
        assertThat(leads()).isZero();
        assertThat(election.lost().isComplete()).isFalse();
    }

    @Test
    void says_why_leadership_was_lost() throws Exception {
        election.start();
        await(election.led());
        api.answer(request -> Answer.failure(503, "away"));

        String reason = await(election.lost()
                .transform(lost -> Future.succeededFuture(lost.cause().getMessage())));
        assertThat(reason).startsWith("leader election lost: lease ns/lease: it was not renewed within");
        assertThat(fence.isOpen()).isFalse();
        assertThat(leads()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"10,10,2", "15,2400,2000", "15,10,0"})
    void durations_must_follow_on_one_another(long lease, long renew, long retry) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaderElectionOptions(
                        LEASE, Duration.ofMillis(lease), Duration.ofMillis(renew), Duration.ofMillis(retry)));
    }
}
