package io.busbar.reconciler.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import io.busbar.common.ObjectKey;
import io.busbar.common.guard.Faults;
import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.busbar.reconciler.CannedApi.Received;
import io.busbar.reconciler.leader.LeaderElectionOptions.Candidacy;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LeaderElectionTest {

    private static final ObjectKey LEASE = ObjectKey.of("ns", "lease");
    private static final String COLLECTION = "/apis/coordination.k8s.io/v1/namespaces/ns/leases";
    private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/ns/events";
    private static final LeaderElectionOptions QUICK =
            new LeaderElectionOptions(LEASE, Duration.ofSeconds(1), Duration.ofMillis(800), Duration.ofMillis(20));

    private final Fence fence = new Fence();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private CannedApi api;
    private KubernetesClient fenced;
    private LeaderElection election;
    private volatile JsonObject stored;

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        api.answer(this::leaseServer);
        fenced = new KubernetesClientBuilder()
                .withConfig(api.client().getConfiguration())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("fence", fence))
                .build();
        election = new LeaderElection(QUICK, api.client(), fence, fenced, "pod", meters);
    }

    @AfterEach
    void stop() throws Exception {
        await(election.release());
        fenced.close();
        api.close();
    }

    private Answer leaseServer(Received request) {
        if (request.path().startsWith(EVENTS)) {
            return api.echo(request);
        }
        if (request.method().equals("GET")) {
            return stored == null ? Answer.failure(404, "none") : new Answer(200, stored);
        }
        Answer answer = api.echo(request);
        stored = answer.body();
        return answer;
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private List<Received> of(String path) {
        return api.received().stream()
                .filter(request -> request.path().startsWith(path))
                .toList();
    }

    private String note(Received event) {
        return event.body().getString("note");
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
        api.await(5);
        assertThat(of(COLLECTION)).extracting(Received::method).startsWith("GET", "POST", "PUT", "PUT");
        assertThat(of(COLLECTION)).extracting(Received::path).startsWith(COLLECTION + "/lease", COLLECTION);
        String identity = stored.getJsonObject("spec").getString("holderIdentity");
        assertThat(identity).matches("pod_[0-9a-f-]{36}");

        await(election.release());
        assertThat(of(EVENTS))
                .extracting(event -> event.body().getJsonObject("regarding").getString("kind"), this::note)
                .containsExactly(
                        tuple("Lease", identity + " became leader"), tuple("Lease", identity + " stopped leading"));
        assertThat(api.received().get(api.received().size() - 1).method())
                .as("of the lease, after the last Event")
                .isEqualTo("PUT");
        assertThat(stored.getJsonObject("spec").getString("holderIdentity")).isEmpty();
        assertThat(leads()).isZero();
        assertThat(election.lost().isComplete()).isFalse();
    }

    @Test
    void says_why_leadership_was_lost() throws Exception {
        election.start();
        await(election.led());
        while (of(EVENTS).isEmpty()) {
            api.await(1);
        }
        api.answer(request -> Answer.failure(503, "away"));

        String reason = await(election.lost()
                .transform(lost -> Future.succeededFuture(lost.cause().getMessage())));
        assertThat(reason).startsWith("leader election lost: lease ns/lease: it was not renewed within");
        assertThat(fence.isOpen()).isFalse();
        assertThat(leads()).isZero();
        await(election.release());
        assertThat(of(EVENTS)).extracting(this::note).singleElement().asString().endsWith(" became leader");
    }

    @Test
    void one_that_is_meant_to_be_alone_asks_once_where_it_may_not_and_writes_without_a_lease() throws Exception {
        api.answer(request -> Answer.failure(403, "forbidden"));
        LeaderElection alone =
                new LeaderElection(QUICK.as(Candidacy.ALONE), api.client(), fence, fenced, "pod", meters);
        alone.start();
        await(alone.led());
        assertThat(fence.isOpen()).isTrue();
        await(alone.release());
        assertThat(fence.isOpen()).isFalse();
        assertThat(api.received()).extracting(Received::method).containsExactly("GET");
        assertThat(alone.lost().isComplete()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    void goes_on_whatever_a_write_of_the_lease_throws(Throwable thrown) throws Exception {
        FailingLeases leases = new FailingLeases();
        LeaderElection tried = election(leases, new ScheduledThreadPoolExecutor(1));
        leases.throwNext("create", thrown);
        tried.start();
        await(tried.led());
        assertThat(panics()).as("the first try to lead").isEqualTo(1);

        Promise<Void> renewed = Promise.promise();
        leases.throwNext("update", thrown);
        leases.onUpdate(renewed::tryComplete);
        await(renewed.future());
        assertThat(panics()).as("and a renewal").isEqualTo(2);
        assertThat(fence.isOpen()).isTrue();
        assertThat(tried.lost().isComplete()).isFalse();

        leases.throwNext("update", thrown);
        await(tried.release());
        assertThat(fence.isOpen()).isFalse();
    }

    @Test
    void loses_its_leadership_when_every_renewal_ends_in_an_error() throws Exception {
        FailingLeases leases = new FailingLeases();
        LeaderElection tried = election(leases, new ScheduledThreadPoolExecutor(1));
        tried.start();
        await(tried.led());
        leases.throwAlways(new NoClassDefFoundError("gone"));

        assertThat(reason(tried)).contains("it was not renewed");
        assertThat(fence.isOpen()).isFalse();
    }

    @Test
    void says_so_when_no_further_attempt_can_be_scheduled() throws Exception {
        LeaderElection tried = election(new FailingLeases(), new ScheduledThreadPoolExecutor(1) {
            @Override
            public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
                if (delay > 0) {
                    throw new OutOfMemoryError("unable to create a thread");
                }
                return super.schedule(work, delay, unit);
            }
        });
        tried.start();

        assertThat(reason(tried)).contains("lease ns/lease: no further attempt can be scheduled: ", "unable to create");
        assertThat(fence.isOpen()).isFalse();
    }

    private LeaderElection election(Leases leases, ScheduledExecutorService thread) {
        return new LeaderElection(QUICK, leases, fence, fenced, "pod", meters, thread);
    }

    private static String reason(LeaderElection lost) throws Exception {
        return await(lost.lost()
                .transform(done -> Future.succeededFuture(done.cause().getMessage())));
    }

    private double panics() {
        return meters.get("busbar_panics")
                .tag("place", "leader election")
                .counter()
                .count();
    }

    /** Throws what it is told to in place of a write. */
    private static final class FailingLeases implements Leases {

        private final StoredLease stored = new StoredLease();
        private final Map<String, Throwable> next = new ConcurrentHashMap<>();
        private volatile @Nullable Throwable always;
        private volatile Runnable updated = () -> {};

        void throwNext(String request, Throwable thrown) {
            next.put(request, thrown);
        }

        void throwAlways(Throwable thrown) {
            always = thrown;
        }

        /** After the next updates that succeed. */
        void onUpdate(Runnable happens) {
            updated = happens;
        }

        @Override
        public @Nullable Lease get(Duration timeout) {
            Faults.raise(always);
            return stored.get(timeout);
        }

        @Override
        public Lease create(Lease lease, Duration timeout) {
            Faults.raise(next.remove("create"));
            return stored.create(lease, timeout);
        }

        @Override
        public Lease update(Lease lease, Duration timeout) {
            Faults.raise(always);
            Faults.raise(next.remove("update"));
            Lease written = stored.update(lease, timeout);
            updated.run();
            return written;
        }
    }

    @ParameterizedTest
    @CsvSource({"10,10,2", "10999,10000,2", "15,2400,2000", "15,10,0"})
    void durations_must_follow_on_one_another(long lease, long renew, long retry) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaderElectionOptions(
                        LEASE, Duration.ofMillis(lease), Duration.ofMillis(renew), Duration.ofMillis(retry)));
    }
}
