package io.busbar.reconciler.queue;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Reason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keys that are to be added later, each once, at the earliest time and for the most urgent reason that was asked for.
 *
 * <p>One context. Each method takes O(log n).
 */
final class DelayedKeys {

    private final Map<ObjectKey, Delayed> byKey = new HashMap<>();
    private final TreeSet<Delayed> byDue = new TreeSet<>();
    private long sequence;

    void add(ObjectKey key, Reason reason, long due) {
        Delayed known = remove(key);
        Delayed delayed = known == null
                ? new Delayed(key, reason, due, sequence++)
                : new Delayed(key, moreUrgent(reason, known.reason()), earlier(due, known.due()), known.sequence());
        byKey.put(key, delayed);
        byDue.add(delayed);
    }

    @Nullable
    Delayed remove(ObjectKey key) {
        Delayed delayed = byKey.remove(key);
        if (delayed != null) {
            byDue.remove(delayed);
        }
        return delayed;
    }

    void removeIf(Predicate<ObjectKey> gone) {
        List.copyOf(byKey.keySet()).stream().filter(gone).forEach(this::remove);
    }

    /** Takes out a key whose time has come; null when there is none. */
    @Nullable
    Delayed pollDue(long now) {
        if (byDue.isEmpty() || byDue.first().due() - now > 0) {
            return null;
        }
        return remove(byDue.first().key());
    }

    OptionalLong nextDue() {
        return byDue.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(byDue.first().due());
    }

    int size() {
        return byKey.size();
    }

    /** Those that are due first. */
    Stream<Delayed> first(int most) {
        return byDue.stream().limit(most);
    }

    static Reason moreUrgent(Reason one, Reason other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static long earlier(long one, long other) {
        return one - other <= 0 ? one : other;
    }

    /** Ordered by time; the sequence keeps equal times apart, first come first served. */
    record Delayed(ObjectKey key, Reason reason, long due, long sequence) implements Comparable<Delayed> {
        @Override
        public int compareTo(Delayed other) {
            int byTime = Long.compare(due - other.due, 0);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }
}
