package io.busbar.blueprint.run;

import io.busbar.blueprint.Rollout;
import io.busbar.common.ObjectKey;
import io.busbar.reconciler.source.CallSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets instances move to the newest revision, no more at once than their Blueprint says.
 *
 * <p>Any thread. What each instance has come to is told by its reconciles; after a start, what all have come to is taken
 * from the store once.
 *
 * @param <P> the kind of instances
 */
final class InstanceRollout<P extends HasMetadata> {

    /** What an instance has come to. */
    enum State {
        /** It has an earlier revision. */
        EARLIER,
        /** It has the newest revision, or gets it, and is not ready. */
        UNAVAILABLE,
        /** It is ready with the newest revision. */
        READY
    }

    /** How often it is looked for what was deleted while as many were made, and somebody waits. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    /** So many that have gone may always be known. */
    private static final int FEW = 16;

    private final Rollout rollout;
    private final Predicate<P> isEarlier;
    private final Predicate<P> isReady;
    private final InstantSource clock;
    private final CallSource calls = new CallSource("rollout");
    private final Map<ObjectKey, State> states = new HashMap<>();
    private final Map<State, Integer> counts = new HashMap<>();
    private final Set<ObjectKey> waiting = new LinkedHashSet<>();
    private @Nullable Instant looked;
    /** So many instances are known before those are sought that have gone. */
    private int enough = FEW;

    /**
     * @param isEarlier whether an instance has an earlier revision
     * @param isReady whether it says that it is ready
     */
    InstanceRollout(Rollout rollout, Predicate<P> isEarlier, Predicate<P> isReady, InstantSource clock) {
        this.rollout = rollout;
        this.isEarlier = isEarlier;
        this.isReady = isReady;
        this.clock = clock;
    }

    /** Has those reconciled that have waited. */
    CallSource calls() {
        return calls;
    }

    /**
     * Whether an instance of an earlier revision may get the newest one now. Where it may not yet, it is reconciled when
     * it may.
     *
     * @param count how many instances the store has: what is deleted is not told
     * @param all these
     */
    synchronized boolean mayMove(ObjectKey key, int count, Supplier<Collection<P>> all) {
        if (rollout.equals(Rollout.AT_ONCE)) {
            return true;
        }
        if (looked == null || states.size() > count) {
            look(all.get());
        }
        put(key, State.EARLIER);
        if (rollout.paused()) {
            return false;
        }
        if (!hasRoom() && Objects.requireNonNull(looked).plus(LOOK).isBefore(clock.instant())) {
            look(all.get());
            put(key, State.EARLIER);
        }
        if (!hasRoom()) {
            if (goesOn()) {
                waiting.add(key);
            }
            return false;
        }
        put(key, State.UNAVAILABLE);
        return true;
    }

    /**
     * How long an instance that waits does so before it asks again, called or not: the longer, the more of them wait.
     *
     * @return empty for one that does not wait
     */
    synchronized Optional<Duration> patience(ObjectKey key) {
        Duration each = Duration.ofMillis(50).multipliedBy(waiting.size());
        return waiting.contains(key)
                ? Optional.of(Collections.max(List.of(LOOK.multipliedBy(3), each)))
                : Optional.empty();
    }

    /** Whether more are to move than have. */
    private boolean goesOn() {
        int stay = rollout.partition().map(amount -> amount.of(states.size())).orElse(0);
        return count(State.EARLIER) > stay;
    }

    private boolean hasRoom() {
        int most =
                rollout.maxUnavailable().map(amount -> amount.of(states.size())).orElse(Integer.MAX_VALUE);
        return goesOn() && count(State.UNAVAILABLE) < most;
    }

    private int count(State state) {
        return counts.getOrDefault(state, 0);
    }

    private void look(Collection<P> all) {
        looked = clock.instant();
        Map<ObjectKey, State> before = Map.copyOf(states);
        states.clear();
        counts.clear();
        for (P instance : all) {
            ObjectKey key = ObjectKey.of(instance);
            State seen =
                    isEarlier.test(instance) ? State.EARLIER : isReady.test(instance) ? State.READY : State.UNAVAILABLE;
            put(key, before.getOrDefault(key, seen));
        }
        waiting.retainAll(states.keySet());
    }

    private void put(ObjectKey key, State state) {
        @Nullable State before = states.put(key, state);
        if (before != null) {
            counts.merge(before, -1, Integer::sum);
        }
        counts.merge(state, 1, Integer::sum);
    }

    /** How many instances it knows of, some of which may have gone. */
    synchronized int size() {
        return states.size();
    }

    /**
     * What an instance has come to now.
     *
     * @param all as in {@link #mayMove}: those that have gone are forgotten, once they may be more than half of what is
     *     known
     */
    synchronized void note(ObjectKey key, State state, Supplier<Collection<P>> all) {
        if (rollout.equals(Rollout.AT_ONCE)) {
            return;
        }
        if (states.size() > enough) {
            look(all.get());
            enough = 2 * states.size() + FEW;
        }
        put(key, state);
        if (state != State.EARLIER) {
            waiting.remove(key);
        }
        Iterator<ObjectKey> next = waiting.iterator();
        if (hasRoom() && next.hasNext()) {
            calls.enqueue(next.next());
            next.remove();
        }
    }
}
