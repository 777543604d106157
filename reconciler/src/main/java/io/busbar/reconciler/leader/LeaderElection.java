package io.busbar.reconciler.leader;

import io.busbar.common.guard.Guard;
import io.busbar.common.guard.Thrown;
import io.busbar.reconciler.event.Events;
import io.busbar.reconciler.write.ApiRequests;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Competes for a lease from {@link #start} on, and leads once, at most: who has lost a leadership must not go on, as
 * what it knows may be out of date.
 *
 * <p>Events about the lease tell who became leader, and who stopped leading by {@link #release}. Of a leadership that
 * is lost there is none: whoever has lost it writes nothing more.
 *
 * <p>Whatever an attempt throws, errors included, is counted, and another attempt follows. Where none can,
 * {@link #lost} fails, a follower's too: a replica that competes no more is of no use to anyone.
 *
 * <p>One that is meant to be alone says who else is there, and leads without a lease where it may not hold one.
 *
 * <p>Any thread; futures complete on a thread of its own, which must not be blocked, or leadership is lost. Metrics:
 * leader_election_master_status and leader_election_slowpath_total, as client-go has them.
 */
public final class LeaderElection {

    private static final Logger log = LoggerFactory.getLogger(LeaderElection.class);
    private static final String REPORTER = "leader-election";
    /** Of a retry period, so that followers don't ask at the same time. */
    private static final double JITTER = 0.2;

    private final LeaderElectionOptions options;
    private final String identity;
    private final Events events;
    private final Elector elector;
    private final Leases leases;
    private final Fence fence;
    private final ScheduledExecutorService thread;
    private final boolean alone;
    private final Guard guard;
    private final Promise<Void> led = Promise.promise();
    private final Promise<Void> lost = Promise.promise();
    private volatile boolean leads;
    /** Of its thread. */
    private @Nullable ScheduledFuture<?> next;
    /** Of whom it was said that they keep this one from writing; of its thread. */
    private @Nullable String told;

    /**
     * @param client that is not fenced
     * @param fence of the client that controllers write with; this opens and shuts it
     * @param writer that client, with which this writes Events
     * @param instance which process this is, such as the name of its Pod; a random part is added
     */
    public LeaderElection(
            LeaderElectionOptions options,
            KubernetesClient client,
            Fence fence,
            KubernetesClient writer,
            String instance,
            MeterRegistry meters) {
        this(
                options,
                new ClientLeases(new ApiRequests(client), options.lease()),
                fence,
                writer,
                instance,
                meters,
                thread());
    }

    /**
     * @param thread of its own, which it ends
     */
    LeaderElection(
            LeaderElectionOptions options,
            Leases leases,
            Fence fence,
            KubernetesClient writer,
            String instance,
            MeterRegistry meters,
            ScheduledExecutorService thread) {
        this.options = options;
        this.leases = leases;
        this.fence = fence;
        this.thread = thread;
        this.alone = options.candidacy().isAlone();
        this.guard = new Guard("leader election", meters);
        this.identity = instance + "_" + UUID.randomUUID();
        this.events = new Events(new ApiRequests(writer), instance, meters, Clock.systemUTC());
        Counter slowPath = Counter.builder("leader_election_slowpath")
                .description("Renewals that had to read the lease again.")
                .tag("name", options.lease().name())
                .register(meters);
        ToDoubleFunction<Fence> master = open -> leads && open.isOpen() ? 1 : 0;
        Gauge.builder("leader_election_master_status", fence, master)
                .description("Whether this replica leads: 1, else 0.")
                .tag("name", options.lease().name())
                .strongReference(true)
                .register(meters);
        this.elector = new Elector(options, identity, fence, System::nanoTime, Clock.systemUTC(), slowPath::increment);
    }

    private static ScheduledExecutorService thread() {
        ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, work -> {
            Thread made = new Thread(work, "busbar-leader-election");
            made.setDaemon(true);
            return made;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return thread;
    }

    /** Begins to compete. */
    public void start() {
        log.atLevel(alone ? Level.DEBUG : Level.INFO)
                .addKeyValue("lease", options.lease())
                .addKeyValue("identity", identity)
                .log("attempting to acquire the leader lease");
        thread.execute(this::attempt);
    }

    /** Completes when this replica leads. */
    public Future<Void> led() {
        return led.future();
    }

    /** Fails, with the reason, when leadership is lost other than by {@link #release}; the fence is shut then. */
    public Future<Void> lost() {
        return lost.future();
    }

    /** Ends; a leader's lease is free for another at once. Nothing passes the fence from when this completes on. */
    public Future<Void> release() {
        Promise<Void> released = Promise.promise();
        try {
            thread.execute(() -> {
                if (next != null) {
                    next.cancel(false);
                }
                if (leads) {
                    leads = false;
                    guard.run(() -> tell("Release", "stopped leading"));
                }
                // The last Event, too, is a leader's: it is written before the lease is given up.
                guard.run(events::close);
                guard.run(this::giveUp);
                released.complete();
            });
            thread.shutdown();
        } catch (RejectedExecutionException before) {
            released.complete();
        }
        return released.future();
    }

    private void giveUp() {
        LeaseRequest request = elector.release();
        if (request == null) {
            return;
        }
        try {
            request.sendTo(leases);
        } catch (KubernetesClientException failure) {
            log.atWarn().addKeyValue("reason", failure.getMessage()).log("the lease was not released; it will expire");
        }
    }

    /** Never throws: another attempt follows, or {@link #lost} fails. */
    private void attempt() {
        Standing standing = guard.call(() -> elector.attempt(leases), thrown -> afterAll());
        if (standing instanceof Standing.Leads) {
            guard.run(this::leads);
            again(options.retryPeriod());
        } else if (standing instanceof Standing.Follows follows) {
            guard.run(this::tellOfAnother);
            again(patience(follows));
        } else if (standing instanceof Standing.Unguarded unguarded) {
            guard.run(() -> leadsUnguarded(unguarded.reason()));
        } else if (standing instanceof Standing.Lost how) {
            lose(how.reason());
        }
    }

    /** Where an attempt leaves us that ended in an unexpected error. */
    private Standing afterAll() {
        if (!leads) {
            return new Standing.Follows(options.retryPeriod());
        }
        return fence.isOpen() || alone ? new Standing.Leads() : new Standing.Lost("it was not renewed, by a bug");
    }

    private void lose(String reason) {
        leads = false;
        fence.shut();
        guard.run(() -> lost.tryFail("leader election lost: lease " + options.lease() + ": " + reason));
    }

    private void leads() {
        if (leads) {
            return;
        }
        leads = true;
        log.atInfo()
                .addKeyValue("lease", options.lease())
                .addKeyValue("identity", identity)
                .log("acquired the leader lease");
        tell("Acquire", "became leader");
        led.complete();
    }

    private void leadsUnguarded(String reason) {
        leads = true;
        log.atWarn()
                .addKeyValue("lease", options.lease())
                .addKeyValue("reason", reason)
                .log("holds no lease: whether another operator writes beside this one is not known");
        led.tryComplete();
    }

    /** Once of each that keeps one waiting which is meant to be alone. */
    private void tellOfAnother() {
        String other = elector.otherHolder();
        Lease lease = elector.lease();
        if (!alone || lease == null || other == null || other.equals(told)) {
            return;
        }
        told = other;
        log.atWarn()
                .addKeyValue("lease", options.lease())
                .addKeyValue("holder", other)
                .addKeyValue("since", lease.getSpec().getAcquireTime())
                .log("another operator writes: this one writes nothing until that has ended, or has not renewed its"
                        + " lease in time; run replicas with --leader-elect, and one whose work is another's with a"
                        + " --leader-election-id of its own");
    }

    private void tell(String action, String what) {
        Lease lease = elector.lease();
        if (lease != null) {
            events.recorder(REPORTER).normal(lease, "LeaderElection", action, identity + " " + what);
        }
    }

    /** Until the next retry, or until the lease ends if that is sooner. */
    private Duration patience(Standing.Follows follows) {
        Duration retry = options.retryPeriod()
                .plusNanos((long) (options.retryPeriod().toNanos()
                        * JITTER
                        * ThreadLocalRandom.current().nextDouble()));
        Duration expiry = follows.patience().plusMillis(1);
        return expiry.compareTo(retry) < 0 ? expiry : retry;
    }

    private void again(Duration wait) {
        try {
            next = thread.schedule(this::attempt, wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (Throwable unscheduled) {
            if (!thread.isShutdown()) {
                guard.caught(unscheduled, Map.of());
                lose("no further attempt can be scheduled: " + Thrown.text(unscheduled));
            }
        }
    }
}
