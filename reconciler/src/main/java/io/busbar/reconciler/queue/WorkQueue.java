package io.busbar.reconciler.queue;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Reason;
import io.busbar.reconciler.Backoff;
import io.busbar.reconciler.RateLimit;
import io.busbar.reconciler.queue.DelayedKeys.Delayed;
import io.busbar.reconciler.queue.Lane.Entry;
import io.busbar.reconciler.view.ControllerView;
import io.busbar.reconciler.view.ControllerView.QueueView;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The keys that are to be reconciled.
 *
 * <p>Guarantees: a key waits at most once and is out at most once; one that is added while it is out comes out once
 * more after it is done. More urgent reasons come first, yet of any {@value #OLDEST_EVERY} keys taken one is the one
 * that has waited longest, so that none starves: a key before which n others wait is out after
 * {@value #OLDEST_EVERY}·(n+1) takes. Of several delayed adds the earliest counts, and an add at once makes them void.
 *
 * <p>One context. All methods take O(1), or O(log d) with d delayed keys, however many wait.
 */
public final class WorkQueue {

    static final int OLDEST_EVERY = 4;

    /** Every key that waits or is out. A waiting key is in the lane of its reason, and in no other. */
    private final Map<ObjectKey, Entry> entries = new HashMap<>();

    /** In order of urgency. */
    private final Map<Reason, Lane> lanes = new EnumMap<>(Reason.class);

    private final DelayedKeys delayed = new DelayedKeys();
    private final RetryDelays retries;
    private final QueueMetrics metrics;
    private final LongSupplier clock;
    private long turns;
    private int takes;

    /**
     * @param clock nanoseconds that do not go back, as {@link System#nanoTime()}
     */
    public WorkQueue(Backoff backoff, RateLimit limit, QueueMetrics metrics, LongSupplier clock) {
        this.retries = new RetryDelays(backoff, limit, clock.getAsLong());
        this.metrics = metrics;
        this.clock = clock;
        for (Reason reason : Reason.values()) {
            lanes.put(reason, new Lane());
        }
    }

    /** Adds a key to be taken as soon as may be; one that waits already moves up if this reason is more urgent. */
    public void add(ObjectKey key, Reason reason) {
        Delayed earlier = delayed.remove(key);
        Reason urgent = earlier == null ? reason : DelayedKeys.moreUrgent(reason, earlier.reason());
        Entry entry = entries.computeIfAbsent(key, Entry::new);
        if (entry.waitsFor == null) {
            entry.waitsFor = urgent;
            entry.waitsSince = clock.getAsLong();
            if (entry.outFor == null) {
                line(entry);
            }
            metrics.added(urgent);
        } else if (urgent.compareTo(entry.waitsFor) < 0) {
            raise(entry, urgent);
        }
    }

    private void raise(Entry entry, Reason reason) {
        Reason before = entry.waitsFor();
        entry.waitsFor = reason;
        if (entry.outFor == null) {
            lane(before).remove(entry);
            line(entry);
        }
        metrics.raised(before, reason);
    }

    private Lane lane(Reason reason) {
        return Objects.requireNonNull(lanes.get(reason));
    }

    private void line(Entry entry) {
        entry.turn = turns++;
        lane(entry.waitsFor()).append(entry);
    }

    /** Adds a key once the delay has passed, unless it waits anyhow. */
    public void addAfter(ObjectKey key, Reason reason, Duration delay) {
        addAfter(key, reason, delay.toNanos());
    }

    private void addAfter(ObjectKey key, Reason reason, long nanos) {
        Entry entry = entries.get(key);
        if (nanos <= 0) {
            add(key, reason);
        } else if (entry == null || entry.waitsFor == null) {
            delayed.add(key, reason, clock.getAsLong() + nanos);
        }
    }

    /**
     * Adds a key that is out again, for the reason for which it is, after its backoff and the overall limit.
     *
     * @param failed whether it failed, else a requeue was asked for
     * @return how long it has to wait
     */
    public Duration retry(ObjectKey key, boolean failed) {
        Reason reason = out(key).outFor();
        long nanos = retries.next(key, failed, clock.getAsLong());
        metrics.retried();
        addAfter(key, reason, nanos);
        return Duration.ofNanos(nanos);
    }

    /** Ends a key's row of failures and requeues. */
    public void forget(ObjectKey key) {
        retries.forget(key);
    }

    /** Drops the delayed keys among some. */
    public void dropDelayed(Predicate<ObjectKey> gone) {
        delayed.removeIf(gone);
    }

    /** Hands out the next key; null when none waits that is not out. */
    public @Nullable Taken take() {
        long now = clock.getAsLong();
        for (Delayed due = delayed.pollDue(now); due != null; due = delayed.pollDue(now)) {
            add(due.key(), due.reason());
        }
        Entry entry = next();
        if (entry == null) {
            return null;
        }
        takes++;
        Reason reason = entry.waitsFor();
        lane(reason).remove(entry);
        entry.waitsFor = null;
        entry.outFor = reason;
        long waited = Math.max(0, now - entry.waitsSince); // one that was due only now was added after now
        metrics.taken(entry.key, reason, waited);
        return new Taken(entry.key, reason, retries.failures(entry.key) + 1, waited);
    }

    private @Nullable Entry next() {
        boolean oldest = takes % OLDEST_EVERY == OLDEST_EVERY - 1;
        Entry best = null;
        for (Lane lane : lanes.values()) {
            Entry first = lane.first();
            if (first != null && (best == null || (oldest && first.turn < best.turn))) {
                best = first;
            }
        }
        return best;
    }

    /**
     * Takes a key back.
     *
     * @throws IllegalStateException when it is not out
     */
    public void done(ObjectKey key) {
        Entry entry = out(key);
        entry.outFor = null;
        metrics.done(key);
        if (entry.waitsFor == null) {
            entries.remove(key);
        } else {
            line(entry);
        }
    }

    private Entry out(ObjectKey key) {
        Entry entry = entries.get(key);
        if (entry == null || entry.outFor == null) {
            throw new IllegalStateException("key " + key + " is not out");
        }
        return entry;
    }

    /** Nanoseconds until a delayed key is due, at least 0; empty when none is delayed. */
    public OptionalLong untilDue() {
        OptionalLong due = delayed.nextDue();
        return due.isEmpty() ? due : OptionalLong.of(Math.max(0, due.getAsLong() - clock.getAsLong()));
    }

    /**
     * What waits.
     *
     * @param most how many of the delayed keys are named
     * @param error by which a key has failed last
     */
    public QueueView look(int most, Function<ObjectKey, String> error) {
        long now = clock.getAsLong();
        Map<Reason, Integer> waiting = new EnumMap<>(Reason.class);
        long oldest = now;
        for (Map.Entry<Reason, Lane> lane : lanes.entrySet()) {
            waiting.put(lane.getKey(), lane.getValue().size());
            Entry first = lane.getValue().first();
            oldest = first != null && first.waitsSince - oldest < 0 ? first.waitsSince : oldest;
        }
        List<ControllerView.Delayed> next = delayed.first(most)
                .map(key -> new ControllerView.Delayed(
                        key.key(),
                        Duration.ofNanos(Math.max(0, key.due() - now)),
                        retries.failures(key.key()),
                        error.apply(key.key())))
                .toList();
        return new QueueView(waiting, Duration.ofNanos(now - oldest), delayed.size(), next);
    }

    /**
     * A key that is out.
     *
     * @param attempt 1, and one more for each failure in a row
     * @param waited nanoseconds
     */
    public record Taken(ObjectKey key, Reason reason, int attempt, long waited) {}
}
