package io.busbar.reconciler.shard;

import io.busbar.common.ObjectKey;
import io.busbar.common.guard.Guard;
import io.busbar.common.watch.OthersWrites;
import io.busbar.reconciler.leader.Fence;
import io.busbar.reconciler.shard.ShardGate.Gained;
import io.busbar.reconciler.shard.ShardRequest.Look;
import io.busbar.reconciler.shard.ShardRequest.Renew;
import io.busbar.reconciler.shard.ShardRequest.Write;
import io.busbar.reconciler.write.ApiRequests;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares the work with other replicas from {@link #start} on, until {@link #leave}: renews its Lease, reads the map in
 * each round, and opens and shuts what this replica works on.
 *
 * <p>A round follows each retry period, each change of the map, of which a watch tells, and each end of the last work
 * on a bucket that is to be given away. Without the watch all comes to the same end, later. Whatever a round throws,
 * errors included, is counted, and another follows.
 *
 * <p>What is to be gained from a living member is watched before: it gives away nothing until the watches here show it,
 * as long as that takes a minute at most. What is gained is worked on once the watches show what others have written of
 * it, and all of it is looked at then.
 *
 * <p>Any thread; futures complete on threads of its own.
 */
public final class ShardMembership {

    private static final Logger log = LoggerFactory.getLogger(ShardMembership.class);
    private static final int LONGEST_INSTANCE = 200;
    private static final Duration AGAIN = Duration.ofSeconds(1);
    /** After which people are told that buckets wait. */
    private static final Duration LONG = Duration.ofSeconds(10);

    private final ShardOptions options;
    private final KubernetesClient client;
    private final String name;
    private final ShardLeases leases;
    private final ShardGate gate;
    private final ShardMember member;
    private final Fence fence;
    private final Listener listener;
    private final Guard guard;
    private final Timer handOvers;
    private final Timer openings;
    private final ScheduledExecutorService thread;
    private final AtomicBoolean hinted = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Promise<Void> joined = Promise.promise();
    private final Promise<Void> left = Promise.promise();
    private final Promise<Void> lost = Promise.promise();
    /** Of its thread: since when each bucket is on its way to another. */
    private final Map<Integer, Long> drainingSince = new HashMap<>();

    /** Of its thread: the buckets of which the watches keep what primaries own. */
    private BitSet needed = new BitSet();

    /** Of its thread: the buckets to come that the watches are about to show. */
    private final Set<Integer> preparing = new TreeSet<>();

    private long renewalTried;
    private boolean hasTried;
    private String told = "";
    private String toldHeld = "";
    private volatile int unowned;
    /** As it was read or written last; null before. */
    private volatile @Nullable ShardMap map;

    /** By {@link System#nanoTime()}; null before. */
    private volatile @Nullable Long lastGain;

    private volatile boolean first;
    private volatile boolean leaving;
    private volatile boolean started;

    /** Is told what this replica works on. Must not block but for {@link #gained}. */
    public interface Listener {

        /**
         * What this replica may need of what primaries own has changed: comes before {@link #catchUp} where there is
         * more of it, and after all work on a bucket that is lost. The replica needs nothing before the first call.
         *
         * @param owners whether a primary is in a bucket that this replica holds, or is to get next, by its uid; takes
         *     no time
         * @param more whether there are buckets that it did not need before
         * @return the moment by {@link System#nanoTime()} since which the watches look for all of that
         */
        long needs(Predicate<String> owners, boolean more);

        /**
         * Before work on what was gained begins, and before a bucket is given to this replica.
         *
         * @return completes when the watches show what others have written
         */
        Future<Void> catchUp(OthersWrites writes);

        /** Work on these may begin: all their objects are to be looked at. May block. */
        void gained(Set<Integer> buckets);

        /** Whether this replica is the one now that does what one alone is to do. */
        void first(boolean isFirst);
    }

    /**
     * @param client that is not fenced
     * @param fence of the client that controllers write with; this opens and shuts it
     * @param instance which process this is, such as the name of its Pod; a random part is added
     */
    public ShardMembership(
            ShardOptions options,
            KubernetesClient client,
            Fence fence,
            String instance,
            MeterRegistry meters,
            Listener listener) {
        this.options = options;
        this.client = client;
        this.fence = fence;
        this.listener = listener;
        ObjectKey map = options.election().lease();
        this.name = name(map.name(), instance);
        this.leases =
                new ShardLeases(new ApiRequests(client), map, options.election().leaseDuration(), Clock.systemUTC());
        this.gate = new ShardGate(options.buckets(), fence, this::hint);
        this.member = new ShardMember(options, name, fence, gate, System::nanoTime);
        this.unowned = options.buckets();
        this.guard = new Guard("shards", meters);
        this.thread = thread();
        Gauge.builder("busbar.shard.buckets", gate, ShardGate::open)
                .description("How many buckets of the work this replica works on.")
                .tag("member", instance)
                .strongReference(true)
                .register(meters);
        Gauge.builder("busbar.shard.unowned", () -> unowned)
                .description("How many buckets no living replica holds, as far as this one knows.")
                .register(meters);
        this.handOvers = Timer.builder("busbar.shard.handover")
                .description(
                        "How long it takes to give a bucket to another replica: what is under way has to end before.")
                .register(meters);
        this.openings = Timer.builder("busbar.shard.opening")
                .description("How long buckets that were gained wait until the watches show all that is in them.")
                .register(meters);
    }

    /** Unique, and the name of an object. */
    private static String name(String map, String instance) {
        String place = instance.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-");
        String unique = UUID.randomUUID().toString().substring(0, 8);
        return map + "-" + place.substring(0, Math.min(place.length(), LONGEST_INSTANCE - map.length())) + "-" + unique;
    }

    private static ScheduledExecutorService thread() {
        ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, work -> daemon(work, "busbar-shards"));
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return thread;
    }

    private static Thread daemon(Runnable work, String name) {
        Thread made = new Thread(work, name);
        made.setDaemon(true);
        return made;
    }

    /** What this replica works on. */
    public Sharding sharding() {
        return gate;
    }

    /** Begins to take part. */
    public void start() {
        started = true;
        log.atInfo()
                .addKeyValue("lease", options.election().lease())
                .addKeyValue("member", name)
                .log("joins the replicas that share the work");
        thread.execute(this::beat);
        daemon(this::watch, "busbar-shards-hints").start();
    }

    /** Completes when the map names this replica. */
    public Future<Void> joined() {
        return joined.future();
    }

    /**
     * Fails, with the reason, when others have taken this replica for dead and its work over: it must not go on, as
     * what it knows may be out of date.
     */
    public Future<Void> lost() {
        return lost.future();
    }

    /** Who works on what, as this replica has read or written it last; empty before. */
    public Optional<ShardMap> map() {
        return Optional.ofNullable(map);
    }

    /** As this replica is named in the map. */
    public String name() {
        return name;
    }

    /** Until when others may have written in what this replica holds; empty where it has never held anything. */
    public Optional<OthersWrites> lastGain() {
        return Optional.ofNullable(lastGain).map(OthersWrites::until);
    }

    /** Whether this replica is the one that does what one alone is to do. */
    public boolean isFirst() {
        return first;
    }

    /**
     * Begins to give away all that this replica holds, each bucket as soon as its heir is ready and no work on it is
     * under way.
     *
     * @param patience how long the heirs may take to get ready
     * @return completes when all is given away
     */
    public Future<Void> leave(Duration patience) {
        leaving = true;
        if (!started) {
            left.tryComplete();
        }
        execute(() -> {
            member.leave(patience);
            round();
        });
        later(() -> execute(this::round), patience);
        return left.future();
    }

    /**
     * Ends it, whatever is still held.
     *
     * @return completes when this does nothing any more
     */
    public Future<Void> stop() {
        Promise<Void> ended = Promise.promise();
        execute(() -> {
            fence.shut();
            gate.shutAll();
            if (member.hasLeft() || member.isRemoved()) {
                removeLease(name);
            }
            ended.complete();
        });
        stopped.countDown();
        thread.shutdown();
        return ended.future();
    }

    private void execute(Runnable work) {
        try {
            thread.execute(() -> guard.run(work));
        } catch (RejectedExecutionException ended) {
            log.atDebug().log("stopped already");
        }
    }

    /** There may be something to do: a round follows soon. */
    private void hint() {
        if (hinted.compareAndSet(false, true)) {
            execute(this::round);
        }
    }

    private void beat() {
        guard.run(this::round);
        Duration since = Duration.ofNanos(System.nanoTime() - renewalTried);
        Duration retry = options.election().retryPeriod().minus(since);
        Duration death = member.untilNextDeath().plusMillis(1);
        Duration wait = death.compareTo(retry) < 0 ? death : retry;
        later(this::beat, wait);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What it does tells of its failures itself.
    private void later(Runnable work, Duration wait) {
        try {
            thread.schedule(work, Math.max(wait.toNanos(), 1_000_000), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException ended) {
            log.atDebug().log("stopped already");
        }
    }

    private void round() {
        hinted.set(false);
        if (left.future().isComplete()) {
            return;
        }
        long now = System.nanoTime();
        boolean renews = !hasTried
                || now - renewalTried >= options.election().retryPeriod().toNanos() - AGAIN.toNanos() / 10;
        if (renews) {
            hasTried = true;
            renewalTried = now;
        }
        ShardRequest next = member.begin(renews);
        while (next != null) {
            next = send(next);
        }
        settle();
    }

    private @Nullable ShardRequest send(ShardRequest request) {
        try {
            if (request instanceof Renew renew) {
                leases.renew(name, renew.timeout());
                return member.renewed();
            }
            if (request instanceof Look look) {
                ShardRequest.Seen seen = leases.look(look.timeout());
                map = seen.map();
                return member.saw(seen);
            }
            Write write = (Write) request;
            String version = leases.write(write.map(), write.timeout());
            map = write.map();
            return member.wrote(version, write.map());
        } catch (KubernetesClientException | IllegalArgumentException failure) {
            boolean outrun = failure instanceof KubernetesClientException refused && refused.getCode() == 409;
            (outrun ? log.atDebug() : log.atWarn())
                    .addKeyValue("lease", options.election().lease())
                    .addKeyValue("reason", failure.getMessage())
                    .log("the map of shards, or the lease of this replica, could not be read or written");
            return member.failed();
        }
    }

    /** What follows from a round. */
    private void settle() {
        long moment = member.kept().map(this::need).orElseGet(System::nanoTime);
        prepare(moment);
        Gained gained = gate.takeGained();
        long now = System.nanoTime();
        if (!gained.buckets().isEmpty()) {
            lastGain = now;
        }
        open(gate.told(gained), told(moment), now);
        open(gate.untold(gained), OthersWrites.until(moment), now);
        List<Integer> resumed = gate.takeResumed();
        if (!resumed.isEmpty()) {
            listener.gained(Set.copyOf(resumed));
        }
        unowned = member.unowned();
        measureHandOvers();
        tell();
        if (member.isConfirmed()) {
            joined.tryComplete();
        }
        tellFirst();
        member.abandoned().forEach(this::removeLease);
        if (member.isRemoved()) {
            lost.tryFail("shards lost: others have taken over what this replica worked on, as it could not renew lease "
                    + name + " in time");
        }
        if (leaving && (member.hasLeft() || member.isRemoved())) {
            left.tryComplete();
        }
    }

    /** What those have written who gave buckets to this replica, and told what that was. */
    private OthersWrites told(long moment) {
        return member.lastSeen()
                .map(ShardRequest.Seen::map)
                .map(last -> OthersWrites.known(moment, last.told().versions()))
                .orElseGet(() -> OthersWrites.until(moment));
    }

    /** Has the watches keep what is in the buckets that this replica holds, or is to get. */
    private long need(BitSet kept) {
        if (kept.equals(needed)) {
            return System.nanoTime();
        }
        BitSet more = (BitSet) kept.clone();
        more.andNot(needed);
        needed = kept;
        return listener.needs(uid -> kept.get(Buckets.of(uid, options.buckets())), !more.isEmpty());
    }

    /** Tells the holders of what is to come, in the next round, once the watches show it. */
    private void prepare(long moment) {
        Set<Integer> toCome = member.toPrepare();
        toCome.removeAll(preparing);
        if (toCome.isEmpty()) {
            return;
        }
        preparing.addAll(toCome);
        long generation = member.generation();
        listener.catchUp(OthersWrites.until(moment)).onComplete(caughtUp -> {
            if (caughtUp.succeeded()) {
                execute(() -> prepared(toCome, generation));
            } else {
                later(() -> execute(() -> preparing.removeAll(toCome)), AGAIN);
            }
        });
    }

    private void prepared(Set<Integer> buckets, long generation) {
        preparing.removeAll(buckets);
        member.prepared(buckets, generation);
        round();
    }

    /**
     * @param since when it was gained
     */
    private void open(Gained gained, OthersWrites writes, long since) {
        if (gained.buckets().isEmpty()) {
            return;
        }
        Future<Void> shown = listener.catchUp(writes);
        later(() -> tellIfLate(shown, gained), LONG);
        shown.onComplete(caughtUp -> {
            if (caughtUp.succeeded()) {
                execute(() -> opened(gained, since));
            } else {
                log.atWarn()
                        .addKeyValue("reason", caughtUp.cause().toString())
                        .log("what was gained cannot be worked on yet");
                later(() -> open(gained, writes, since), AGAIN);
            }
        });
    }

    private static void tellIfLate(Future<Void> shown, Gained gained) {
        if (!shown.isComplete()) {
            log.atWarn()
                    .addKeyValue("buckets", gained.buckets())
                    .addKeyValue("seconds", LONG.toSeconds())
                    .log("the watches do not show yet what was gained: it is not worked on before");
        }
    }

    private void opened(Gained gained, long since) {
        List<Integer> open = gate.open(gained);
        if (!open.isEmpty()) {
            openings.record(System.nanoTime() - since, TimeUnit.NANOSECONDS);
            tell();
            tellFirst();
            listener.gained(Set.copyOf(open));
        }
    }

    private void tellFirst() {
        boolean now = gate.holds(Buckets.FIRST);
        if (now != first) {
            first = now;
            listener.first(now);
        }
    }

    private void measureHandOvers() {
        long now = System.nanoTime();
        Set<Integer> draining = gate.leaving();
        draining.forEach(bucket -> drainingSince.putIfAbsent(bucket, now));
        ShardMap map = member.lastSeen().map(ShardRequest.Seen::map).orElse(null);
        for (int bucket : new TreeSet<>(drainingSince.keySet())) {
            if (map == null || draining.contains(bucket)) {
                continue;
            }
            long since = Objects.requireNonNull(drainingSince.remove(bucket));
            if (!map.holders().get(bucket).equals(name)) {
                handOvers.record(now - since, TimeUnit.NANOSECONDS);
            }
        }
    }

    /** INFO for what changes. */
    private void tell() {
        String leader = member.lastSeen().map(ShardRequest.Seen::leader).orElse("");
        if (!leader.equals(told)) {
            told = leader;
            if (!leader.isEmpty()) {
                log.atWarn()
                        .addKeyValue("lease", options.election().lease())
                        .addKeyValue("holder", leader)
                        .log("a leader works on all there is: waits until it ends");
            }
        }
        String held = gate.ranges();
        if (!held.equals(toldHeld)) {
            toldHeld = held;
            log.atInfo().addKeyValue("buckets", held.isEmpty() ? "none" : held).log("works on these shards");
        }
    }

    private void removeLease(String which) {
        try {
            leases.remove(which, options.election().retryPeriod());
        } catch (KubernetesClientException failure) {
            log.atDebug()
                    .addKeyValue("lease", which)
                    .addKeyValue("reason", failure.getMessage())
                    .log("a lease that nobody needs could not be removed");
        }
    }

    /** Only makes haste: the rounds see all that this tells of, and what it misses. */
    private void watch() {
        ObjectKey map = options.election().lease();
        try {
            do {
                CountDownLatch closed = new CountDownLatch(1);
                try {
                    await(
                            client.leases()
                                    .inNamespace(map.namespace())
                                    .withName(map.name())
                                    .watch(hints(closed)),
                            closed);
                } catch (KubernetesClientException failure) {
                    log.atDebug().addKeyValue("reason", failure.getMessage()).log("the map of shards is not watched");
                }
            } while (!stopped.await(AGAIN.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void await(Watch watch, CountDownLatch closed) throws InterruptedException {
        try {
            boolean ends = false;
            while (!ends && closed.getCount() > 0) {
                ends = stopped.await(AGAIN.toMillis(), TimeUnit.MILLISECONDS);
            }
        } finally {
            watch.close();
        }
    }

    private Watcher<Lease> hints(CountDownLatch closed) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, Lease lease) {
                hint();
            }

            @Override
            public void onClose(WatcherException cause) {
                closed.countDown();
            }

            @Override
            public void onClose() {
                closed.countDown();
            }
        };
    }
}
