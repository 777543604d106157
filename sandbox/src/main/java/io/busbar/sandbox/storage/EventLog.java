package io.busbar.sandbox.storage;

import org.jspecify.annotations.Nullable;

/**
 * The last changes of one kind, by position: a ring that forgets the oldest.
 *
 * <p>One context. Positions only grow, and are the same for all readers.
 */
final class EventLog {

    private final int capacity;
    /** Ring: the event at position p is in p % length. */
    private @Nullable StoreEvent[] ring = new StoreEvent[16];

    private long start;
    private long end;
    /** Every event up to this revision may be gone. */
    private long compacted;

    EventLog(int capacity, long compacted) {
        this.capacity = Math.max(1, capacity);
        this.compacted = compacted;
    }

    void append(StoreEvent event) {
        if (end - start == capacity) {
            forgetOldest();
        } else if (end - start == ring.length) {
            grow();
        }
        ring[slot(end)] = event;
        end++;
    }

    /** The position of the next event to come. */
    long end() {
        return end;
    }

    /** The oldest position that can be read. */
    long start() {
        return start;
    }

    long compacted() {
        return compacted;
    }

    StoreEvent at(long position) {
        StoreEvent event = position < start || position >= end ? null : ring[slot(position)];
        if (event == null) {
            throw new IllegalArgumentException("position " + position + " is not in " + start + ".." + end);
        }
        return event;
    }

    /** The position of the first event after a revision. */
    long after(long revision) {
        long low = start;
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (at(middle).revision() <= revision) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Forgets all events up to a revision. */
    void compact(long revision) {
        while (start < end && at(start).revision() <= revision) {
            forgetOldest();
        }
        compacted = Math.max(compacted, revision);
    }

    private void forgetOldest() {
        compacted = at(start).revision();
        ring[slot(start)] = null;
        start++;
    }

    private void grow() {
        StoreEvent[] larger = new StoreEvent[Math.min(capacity, ring.length * 2)];
        for (long position = start; position < end; position++) {
            larger[(int) (position % larger.length)] = at(position);
        }
        ring = larger;
    }

    private int slot(long position) {
        return (int) (position % ring.length);
    }
}
