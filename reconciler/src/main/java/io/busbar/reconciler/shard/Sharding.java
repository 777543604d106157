package io.busbar.reconciler.shard;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Which objects this replica works on.
 *
 * <p>Any thread; takes no time.
 */
public interface Sharding {

    /**
     * The bucket of a primary.
     *
     * @param sharded whether the objects of a controller are shared out; else all are where the first bucket is
     */
    int bucket(HasMetadata primary, boolean sharded);

    /** Whether work on an object of this bucket may begin. */
    boolean holds(int bucket);

    /** Another number each time that this bucket comes to this replica. */
    long tenure(int bucket);

    /**
     * Works on an object of this bucket. What the work sends passes no fence any more once the bucket is another's.
     *
     * @return empty when it is another's to work on, or is about to be
     * @throws Exception that of the work
     */
    <T> Optional<T> within(int bucket, Callable<T> work) throws Exception;

    /** Of one that works on all there is. */
    static Sharding none() {
        return Whole.INSTANCE;
    }

    /** One bucket that holds all, and is always held. Immutable. */
    enum Whole implements Sharding {
        INSTANCE;

        @Override
        public int bucket(HasMetadata primary, boolean sharded) {
            return Buckets.FIRST;
        }

        @Override
        public boolean holds(int bucket) {
            return true;
        }

        @Override
        public long tenure(int bucket) {
            return 0;
        }

        @Override
        public <T> Optional<T> within(int bucket, Callable<T> work) throws Exception {
            return Optional.of(work.call());
        }
    }
}
