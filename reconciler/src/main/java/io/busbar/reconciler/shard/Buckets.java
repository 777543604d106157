package io.busbar.reconciler.shard;

import io.busbar.common.internal.hash.Fnv1a;

/**
 * Which bucket an object belongs to: the top bits of the FNV-1a hash, of 64 bits, of its uid. So a bucket is a range of
 * what KEP-5866 has API servers select by.
 *
 * <p>Pure; any thread.
 */
public final class Buckets {

    /** The bucket of what is not shared out, such as the objects of a controller that cannot be sharded. */
    public static final int FIRST = 0;

    private Buckets() {}

    /** Whether there may be so many: a power of two, at most 1,024. */
    public static boolean isAllowed(int count) {
        return count >= 2 && count <= 1024 && Integer.bitCount(count) == 1;
    }

    /**
     * @param count of all, a power of two
     */
    public static int of(String uid, int count) {
        return (int) (Fnv1a.hash(uid) >>> (Long.SIZE - Integer.numberOfTrailingZeros(count)));
    }
}
