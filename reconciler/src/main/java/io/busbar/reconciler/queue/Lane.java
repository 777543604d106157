package io.busbar.reconciler.queue;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Reason;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The waiting keys of one urgency, first in, first out; a key in the middle can leave.
 *
 * <p>One context. A list linked through its entries, so that each method takes O(1).
 */
final class Lane {

    private @Nullable Entry first;
    private @Nullable Entry last;
    private int size;

    @Nullable
    Entry first() {
        return first;
    }

    int size() {
        return size;
    }

    void append(Entry entry) {
        size++;
        entry.previous = last;
        entry.next = null;
        if (last == null) {
            first = entry;
        } else {
            last.next = entry;
        }
        last = entry;
    }

    void remove(Entry entry) {
        size--;
        if (entry.previous == null) {
            first = entry.next;
        } else {
            entry.previous.next = entry.next;
        }
        if (entry.next == null) {
            last = entry.previous;
        } else {
            entry.next.previous = entry.previous;
        }
        entry.previous = null;
        entry.next = null;
    }

    /** A key that waits, is out, or is out and waits to be out again. */
    static final class Entry {
        final ObjectKey key;
        /** Not null while it waits, in a lane or to be done. */
        @Nullable
        Reason waitsFor;
        /** Not null while it is out. */
        @Nullable
        Reason outFor;

        long waitsSince;
        /** The place in the order of all keys that wait. */
        long turn;

        @Nullable
        Entry previous;

        @Nullable
        Entry next;

        Entry(ObjectKey key) {
            this.key = key;
        }

        Reason waitsFor() {
            return Objects.requireNonNull(waitsFor, "waits for nothing");
        }

        Reason outFor() {
            return Objects.requireNonNull(outFor, "is not out");
        }
    }
}
