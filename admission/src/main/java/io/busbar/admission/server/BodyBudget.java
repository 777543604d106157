package io.busbar.admission.server;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that bodies which are arriving may take, of all event loops together. A quarter is kept for the first 128
 * KiB of each: reviews are seldom larger, and are so served while large ones fill the rest.
 *
 * <p>Any thread; a share belongs to one context.
 */
final class BodyBudget {

    static final int SMALL_BYTES = 128 * 1024;

    private final AtomicLong freeForSmall;
    private final AtomicLong freeForLarge;

    BodyBudget(long bytes) {
        freeForSmall = new AtomicLong(bytes / 4);
        freeForLarge = new AtomicLong(bytes - bytes / 4);
    }

    long free() {
        return freeForSmall.get() + freeForLarge.get();
    }

    Share share() {
        return new Share();
    }

    private static boolean take(AtomicLong free, long bytes) {
        if (free.addAndGet(-bytes) >= 0) {
            return true;
        }
        free.addAndGet(bytes);
        return false;
    }

    /** What one body has of it. */
    final class Share {

        private long small;
        private long large;

        /** Takes what it lacks to hold so many bytes; false, with nothing taken, where there is no room. */
        boolean growTo(long bytes) {
            long moreSmall = Math.max(0, Math.min(bytes, SMALL_BYTES) - small);
            long moreLarge = Math.max(0, bytes - SMALL_BYTES - large);
            if (!take(freeForSmall, moreSmall)) {
                return false;
            }
            if (!take(freeForLarge, moreLarge)) {
                freeForSmall.addAndGet(moreSmall);
                return false;
            }
            small += moreSmall;
            large += moreLarge;
            return true;
        }

        boolean isEmpty() {
            return small == 0;
        }

        boolean isLarge() {
            return large > 0;
        }

        /** Gives all of it back; again and again does no harm. */
        void release() {
            freeForSmall.addAndGet(small);
            freeForLarge.addAndGet(large);
            small = 0;
            large = 0;
        }
    }
}
