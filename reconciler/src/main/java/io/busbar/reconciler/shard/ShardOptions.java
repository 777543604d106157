package io.busbar.reconciler.shard;

import io.busbar.reconciler.leader.LeaderElectionOptions;

/**
 * How replicas share the work.
 *
 * <p>Immutable.
 *
 * @param election the Lease that holds the map, and the times by which members are alive, and may write
 * @param buckets a power of two; the same for all members
 * @param template of this replica's Pod; empty if unknown
 */
public record ShardOptions(LeaderElectionOptions election, int buckets, String template) {

    /** How many buckets there are if nobody says. */
    public static final int BUCKETS = 64;

    /**
     * @throws IllegalArgumentException for another number of buckets than a power of two up to 1024
     */
    public ShardOptions {
        if (!Buckets.isAllowed(buckets)) {
            throw new IllegalArgumentException("buckets: " + buckets + ", allowed: a power of two from 2 to 1024");
        }
    }
}
