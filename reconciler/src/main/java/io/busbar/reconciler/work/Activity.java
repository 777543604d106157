package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.reconciler.view.ControllerView.InFlight;
import io.busbar.reconciler.view.ControllerView.Restless;
import io.busbar.reconciler.view.PastReconcile;
import io.busbar.reconciler.write.WriteLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The reconciles of one controller that are under way, and the last ones of each primary, as far as there is room for
 * them: what has been quiet for longest is forgotten first.
 *
 * <p>The controller's context, but for {@link #noting}. Without room it does nothing, and holds nothing.
 */
final class Activity {

    private static final int MOST_OF_ONE = 20;
    private static final Duration SHORT_TIME = Duration.ofSeconds(10);
    private static final long SHOWN_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int MOST_RESTLESS = 20;
    private static final int MOST_FOUND_AT_ONCE = 100;
    private static final int LONGEST_ERROR = 500;

    /** What objects of Java take beside the characters of their texts, more or less. */
    private static final int OVERHEAD = 200;

    private final int room;
    private final InstantSource clock;
    private final LongSupplier nanos;
    /** By the identities of reconciles. */
    private final Map<String, Current> running = new ConcurrentHashMap<>();
    /** The one that was quiet for longest first. */
    private final LinkedHashMap<ObjectKey, Deque<PastReconcile>> pasts = new LinkedHashMap<>();
    /** Since when, by {@link #nanos}. */
    private final Map<ObjectKey, Long> restless = new LinkedHashMap<>();

    private long taken;

    private static final class Current {

        private final ReconcileTask task;
        private final Instant begun;
        private final long begunNanos;
        private final long waited;
        private final WriteLog log = new WriteLog();
        /** The name of its thread; empty until it has one. */
        private volatile String worker = "";

        Current(ReconcileTask task, Instant begun, long begunNanos, long waited) {
            this.task = task;
            this.begun = begun;
            this.begunNanos = begunNanos;
            this.waited = waited;
        }
    }

    /**
     * @param room for what has ended, in bytes, more or less; 0 for nothing at all
     * @param nanos a clock that does not go back
     */
    Activity(int room, InstantSource clock, LongSupplier nanos) {
        this.room = room;
        this.clock = clock;
        this.nanos = nanos;
    }

    /** @param waited how long the key was in the queue, in nanoseconds */
    void begun(ReconcileTask task, long waited) {
        if (room > 0) {
            running.put(task.reconcileId(), new Current(task, clock.instant(), nanos.getAsLong(), waited));
        }
    }

    /** Notes the worker, and what is asked of the API server while something runs. On the worker. */
    <T> T noting(ReconcileTask task, Supplier<T> work) {
        Current current = running.get(task.reconcileId());
        if (current == null) {
            return work.get();
        }
        Thread worker = Thread.currentThread();
        current.worker = worker.getName().isEmpty() ? "thread " + worker.getId() : worker.getName();
        return current.log.around(work);
    }

    /** @param delay how long the key is to wait for the next reconcile */
    void ended(ReconcileTask task, ReconcileOutcome outcome, Duration delay) {
        Current current = running.remove(task.reconcileId());
        if (current == null) {
            return;
        }
        ObjectKey key = task.key();
        PastReconcile past = new PastReconcile(
                current.begun,
                task.reconcileId(),
                task.attempt(),
                task.cause(),
                Duration.ofNanos(current.waited),
                Duration.ofNanos(nanos.getAsLong() - current.begunNanos),
                outcome.kind(),
                delay,
                shortened(outcome.error()),
                current.log.first(),
                current.log.unlisted(),
                trace(task));
        Deque<PastReconcile> earlier = Optional.ofNullable(pasts.remove(key)).orElseGet(() -> {
            taken += OVERHEAD;
            return new ArrayDeque<>();
        });
        pasts.put(key, earlier);
        earlier.add(past);
        taken += size(past);
        if (earlier.size() > MOST_OF_ONE) {
            taken -= size(earlier.remove());
        }
        if (earlier.size() == MOST_OF_ONE
                && within(earlier).compareTo(SHORT_TIME) < 0
                && (restless.size() < MOST_RESTLESS || restless.containsKey(key))) {
            restless.put(key, nanos.getAsLong());
        }
        makeRoom();
    }

    private void makeRoom() {
        Iterator<Deque<PastReconcile>> eldest = pasts.values().iterator();
        while (taken > room && eldest.hasNext()) {
            taken -= OVERHEAD + eldest.next().stream().mapToInt(Activity::size).sum();
            eldest.remove();
        }
    }

    private static int size(PastReconcile past) {
        return 2 * OVERHEAD
                + past.error().length()
                + past.written().stream()
                        .mapToInt(written -> OVERHEAD / 2 + written.path().length())
                        .sum();
    }

    private static Duration within(Deque<PastReconcile> some) {
        return Duration.between(some.getFirst().begun(), some.getLast().begun());
    }

    private static String shortened(String error) {
        return error.length() <= LONGEST_ERROR ? error : error.substring(0, LONGEST_ERROR) + "…";
    }

    /** Of {@code 00-TRACE-SPAN-FLAGS}. */
    private static String trace(ReconcileTask task) {
        String[] parts = task.traceparent().split("-", -1);
        return parts.length == 4 ? parts[1] : "";
    }

    /** @param overdue whether a reconcile, by its identity, goes on although its time is up */
    List<InFlight> inFlight(Predicate<String> overdue) {
        return running.values().stream()
                .sorted((one, other) -> Long.signum(one.begunNanos - other.begunNanos))
                .map(current -> inFlight(current, overdue))
                .toList();
    }

    private InFlight inFlight(Current current, Predicate<String> overdue) {
        ReconcileTask task = current.task;
        return new InFlight(
                task.key(),
                task.reconcileId(),
                task.attempt(),
                task.cause(),
                current.worker,
                current.begun,
                Duration.ofNanos(current.waited),
                of(task.key()).stream()
                        .map(PastReconcile::took)
                        .max(Comparator.naturalOrder())
                        .orElse(Duration.ZERO),
                overdue.test(task.reconcileId()),
                trace(task));
    }

    /** The last reconciles of a primary, the latest last. */
    List<PastReconcile> of(ObjectKey key) {
        return List.copyOf(Optional.ofNullable(pasts.get(key)).orElseGet(ArrayDeque::new));
    }

    /** Why the last reconcile of a primary failed; empty where it did not, or is not known. */
    String lastError(ObjectKey key) {
        Deque<PastReconcile> known = pasts.get(key);
        return known == null ? "" : known.getLast().error();
    }

    /** Primaries of whom something is known, and in whose namespace and name a text is found. */
    List<ObjectKey> find(String text) {
        return pasts.keySet().stream()
                .filter(key -> key.toString().contains(text))
                .limit(MOST_FOUND_AT_ONCE)
                .toList();
    }

    List<Restless> restless() {
        long now = nanos.getAsLong();
        restless.values().removeIf(since -> now - since > SHOWN_NANOS);
        List<Restless> seen = new ArrayList<>();
        for (ObjectKey key : restless.keySet()) {
            Deque<PastReconcile> known = pasts.get(key);
            if (known != null) {
                seen.add(new Restless(
                        key, known.size(), within(known), known.getLast().cause()));
            }
        }
        return seen;
    }
}
