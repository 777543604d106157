package io.busbar.reconciler.shard;

import io.busbar.common.ResourceVersions;
import io.busbar.reconciler.leader.Fence;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * What this replica may work on now, and how much of that is under way.
 *
 * <p>A bucket is shut, or ours and about to be opened, open, or draining: work on it may end and write until then, and
 * none begins. What was let in before a bucket was shut has no leave to write when it is opened again.
 *
 * <p>Any thread; takes no time.
 */
public final class ShardGate implements Sharding {

    private enum State {
        SHUT,
        /** Held, as the map says; work begins once what others have written of it is seen. */
        OPENING,
        OPEN,
        DRAINING
    }

    private static final class Bucket {
        private State state = State.SHUT;
        /** Which opening this is; 0 while nobody may write. */
        private volatile long opening;
        /** Whether work may begin. */
        private volatile boolean open;

        private int underWay;
        /** One more with each time that something may have been written here, or before by others, that is unknown. */
        private int unknown;
        /** Of what was gained: whether all is known that was written before. */
        private boolean told;
    }

    /**
     * Buckets that are to be opened.
     *
     * @param opening which opening of them it is
     */
    public record Gained(List<Integer> buckets, long opening) {}

    /** Permit to work on one object, to be given back once that work has ended. */
    interface Pass extends Fence.Grant, AutoCloseable {

        @Override
        void close();
    }

    private final List<Bucket> buckets;
    private final Fence fence;
    private final Runnable drained;
    private final Object lock = new Object();
    private final Map<String, String> written = new HashMap<>();
    private final Set<Integer> gained = new TreeSet<>();
    private final Set<Integer> resumed = new TreeSet<>();
    private long openings;

    /**
     * All shut.
     *
     * @param drained told when the last work on a draining bucket has ended; must not block
     */
    ShardGate(int count, Fence fence, Runnable drained) {
        this.fence = fence;
        this.buckets = IntStream.range(0, count).mapToObj(i -> new Bucket()).toList();
        this.drained = drained;
    }

    @Override
    public int bucket(HasMetadata primary, boolean sharded) {
        return sharded
                ? Buckets.of(Objects.requireNonNullElse(primary.getMetadata().getUid(), ""), buckets.size())
                : Buckets.FIRST;
    }

    @Override
    public boolean holds(int bucket) {
        return buckets.get(bucket).open;
    }

    @Override
    public long tenure(int bucket) {
        return buckets.get(bucket).opening;
    }

    /** How many are open. */
    int open() {
        return (int) buckets.stream().filter(one -> one.open).count();
    }

    @Override
    public <T> Optional<T> within(int bucket, Callable<T> work) throws Exception {
        Optional<Pass> entered = enter(bucket);
        if (entered.isEmpty()) {
            return Optional.empty();
        }
        try (Pass pass = entered.get()) {
            return Optional.of(fence.with(pass, work));
        }
    }

    /** Begins work on an object; empty where none may begin. */
    Optional<Pass> enter(int number) {
        Bucket bucket = buckets.get(number);
        synchronized (lock) {
            if (bucket.state != State.OPEN) {
                return Optional.empty();
            }
            bucket.underWay++;
            return Optional.of(new Entered(bucket));
        }
    }

    private final class Entered implements Pass {
        private final Bucket bucket;
        private final long opening;
        private final AtomicBoolean left = new AtomicBoolean();
        /** How many writes are sent of which is not known what they wrote. */
        private int unanswered;

        Entered(Bucket bucket) {
            this.bucket = bucket;
            this.opening = bucket.opening;
        }

        @Override
        public boolean isValid() {
            return bucket.opening == opening;
        }

        @Override
        public void writes() {
            synchronized (lock) {
                unanswered++;
                bucket.unknown += left.get() ? 1 : 0;
            }
        }

        @Override
        public void wrote(String type, String version) {
            synchronized (lock) {
                if (ResourceVersions.isNumber(version)) {
                    unanswered--;
                    written.merge(type, version, ResourceVersions::newer);
                }
            }
        }

        @Override
        public void close() {
            if (left.getAndSet(true)) {
                return;
            }
            boolean last;
            synchronized (lock) {
                bucket.underWay--;
                bucket.unknown += unanswered > 0 ? 1 : 0;
                last = bucket.underWay == 0 && bucket.state == State.DRAINING;
            }
            if (last) {
                drained.run();
            }
        }
    }

    /**
     * One more with each time that something may have been written in a bucket that is not part of {@link #written}, by
     * work that has ended, or by whoever held it before.
     */
    int unknown(int number) {
        synchronized (lock) {
            return buckets.get(number).unknown;
        }
    }

    /** The newest versions that work here has written, by type. */
    Map<String, String> written() {
        synchronized (lock) {
            return Map.copyOf(written);
        }
    }

    /** Whether anything can be written for a bucket, or could be as soon as work on it begins. */
    boolean mayWrite(int number) {
        synchronized (lock) {
            return mayWrite(buckets.get(number));
        }
    }

    private static boolean mayWrite(Bucket bucket) {
        return bucket.state == State.OPEN || (bucket.state == State.DRAINING && bucket.underWay > 0);
    }

    /** All of which that is so. */
    BitSet writable() {
        BitSet all = new BitSet();
        synchronized (lock) {
            for (int number = 0; number < buckets.size(); number++) {
                all.set(number, mayWrite(buckets.get(number)));
            }
        }
        return all;
    }

    /**
     * A bucket is ours, as the map says: it is to be opened, unless it is already.
     *
     * @param told whether the watches show what was written in it once they show the versions that the map tells
     */
    void own(int number, boolean told) {
        synchronized (lock) {
            Bucket bucket = buckets.get(number);
            if (bucket.state == State.SHUT) {
                bucket.state = State.OPENING;
                bucket.unknown++;
                bucket.told = told;
                gained.add(number);
            }
        }
    }

    /** A bucket that was shut, as it was about to be given away, has been ours all the time: no work begins on it yet. */
    void keep(int number) {
        synchronized (lock) {
            Bucket bucket = buckets.get(number);
            if (bucket.state == State.SHUT) {
                bucket.state = State.DRAINING;
                bucket.opening = ++openings;
            }
        }
    }

    /** What has become ours since this was asked last; empty buckets when there is nothing. */
    Gained takeGained() {
        synchronized (lock) {
            Gained all = new Gained(List.copyOf(gained), gained.isEmpty() ? openings : ++openings);
            gained.forEach(number -> buckets.get(number).opening = -all.opening());
            gained.clear();
            return all;
        }
    }

    /** Those of them of which the map tells what was written before. */
    Gained told(Gained of) {
        return part(of, true);
    }

    /** The others. */
    Gained untold(Gained of) {
        return part(of, false);
    }

    private Gained part(Gained of, boolean told) {
        synchronized (lock) {
            return new Gained(
                    of.buckets().stream()
                            .filter(number -> buckets.get(number).told == told)
                            .toList(),
                    of.opening());
        }
    }

    /** Lets work begin, on those that are still to be opened by this. */
    List<Integer> open(Gained opened) {
        List<Integer> all = new ArrayList<>();
        synchronized (lock) {
            for (int number : opened.buckets()) {
                Bucket bucket = buckets.get(number);
                if (bucket.state == State.OPENING && bucket.opening == -opened.opening()) {
                    bucket.state = State.OPEN;
                    bucket.opening = opened.opening();
                    bucket.open = true;
                    all.add(number);
                }
            }
        }
        return all;
    }

    /** Those which stay, though they were to be given away: what was asked of them meanwhile was lost. */
    List<Integer> takeResumed() {
        synchronized (lock) {
            List<Integer> all = List.copyOf(resumed);
            resumed.clear();
            return all;
        }
    }

    /**
     * Lets no more work begin on some, and on others again that were to be given away.
     *
     * @param leaving all that are to be given away
     * @return those of them of which no work is under way
     */
    Set<Integer> drain(Set<Integer> leaving) {
        Set<Integer> idle = new TreeSet<>();
        synchronized (lock) {
            for (int number = 0; number < buckets.size(); number++) {
                Bucket bucket = buckets.get(number);
                if (leaving.contains(number)) {
                    if (bucket.state == State.OPENING) {
                        shut(bucket);
                        gained.remove(number);
                    } else if (bucket.state == State.OPEN) {
                        bucket.state = State.DRAINING;
                        bucket.open = false;
                    }
                    if (bucket.underWay == 0) {
                        idle.add(number);
                    }
                } else if (bucket.state == State.DRAINING) {
                    bucket.state = State.OPEN;
                    bucket.open = true;
                    resumed.add(number);
                }
            }
        }
        return idle;
    }

    /** Those that are being drained. */
    BitSet draining() {
        BitSet all = new BitSet();
        synchronized (lock) {
            for (int number = 0; number < buckets.size(); number++) {
                all.set(number, buckets.get(number).state == State.DRAINING);
            }
        }
        return all;
    }

    /** Those on which work has to end before they are given away. */
    Set<Integer> leaving() {
        Set<Integer> all = new TreeSet<>();
        draining().stream().forEach(all::add);
        return all;
    }

    /** Those that are open, for people. */
    String ranges() {
        return new ShardMap(
                        0,
                        List.of(),
                        buckets.stream().map(one -> one.open ? "x" : "").toList())
                .ranges("x");
    }

    void shut(int number) {
        synchronized (lock) {
            shut(buckets.get(number));
            gained.remove(number);
            resumed.remove(number);
        }
    }

    private static void shut(Bucket bucket) {
        bucket.state = State.SHUT;
        bucket.opening = 0;
        bucket.open = false;
    }

    void shutAll() {
        IntStream.range(0, buckets.size()).forEach(this::shut);
    }
}
