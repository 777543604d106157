package io.busbar.sandbox.faults;

import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.faults.Lag.Of;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.StoreEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Predicate;

/**
 * The lags that there are, and by them the revisions up to which clients see each kind.
 *
 * <p>One context. It remembers when each revision was reached, for as long as a lag holds it back.
 */
public final class Lags {

    private record Reached(Instant at, long revision) {}

    private final class Active {

        private final Lag lag;
        private final GroupResource resource;
        /** What is yet to be seen, oldest first. */
        private final Queue<Reached> waiting = new ArrayDeque<>();

        private long seen = store.revision();
        private Runnable cancelTimer = () -> {};

        Active(Lag lag) {
            this.lag = lag;
            int dot = lag.resource().indexOf('.');
            this.resource = dot < 0
                    ? GroupResource.core(lag.resource())
                    : new GroupResource(
                            lag.resource().substring(dot + 1), lag.resource().substring(0, dot));
        }

        void changed(long revision) {
            lag.time().ifPresent(time -> {
                waiting.add(new Reached(clock.instant(), revision));
                if (waiting.size() == 1) {
                    cancelTimer = clock.after(time, () -> see(time));
                }
            });
        }

        private void see(Duration time) {
            Instant now = clock.instant();
            while (!waiting.isEmpty() && !waiting.element().at().plus(time).isAfter(now)) {
                seen = waiting.remove().revision();
            }
            if (!waiting.isEmpty()) {
                Duration left = Duration.between(now, waiting.element().at().plus(time));
                cancelTimer = clock.after(left, () -> see(time));
            }
            wakeWatches();
        }

        void release() {
            if (active.remove(this)) {
                cancelTimer.run();
                wakeWatches();
            }
        }

        private void wakeWatches() {
            if (lag.of() == Of.WATCHES) {
                store.wakeWatches(resource);
            }
        }
    }

    private final MemoryStore store;
    private final ClusterClock clock;
    private final List<Active> active = new ArrayList<>();

    public Lags(MemoryStore store, ClusterClock clock) {
        this.store = store;
        this.clock = clock;
        store.onChange(this::changed);
        store.limitWatches(resource -> seen(resource, lag -> lag.of() == Of.WATCHES));
    }

    /**
     * Begins one.
     *
     * @return ends it when run
     */
    public Runnable begin(Lag lag) {
        Active begun = new Active(lag);
        active.add(begun);
        return begun::release;
    }

    /** Ends all. */
    public void release() {
        List.copyOf(active).forEach(Active::release);
    }

    /**
     * The revision as of which a get or a list is answered.
     *
     * @param resourceVersion that the client names: 0 for any, empty for the latest
     * @return the store's latest when there is no lag
     */
    public long readable(GroupResource resource, String resourceVersion) {
        boolean cached = !resourceVersion.isEmpty();
        return seen(resource, lag -> lag.of() == Of.ALL_READS || (cached && lag.of() == Of.CACHED_READS));
    }

    private void changed(StoreEvent event) {
        active.forEach(lag -> lag.changed(event.revision()));
    }

    private long seen(GroupResource resource, Predicate<Lag> meant) {
        long seen = store.revision();
        for (Active one : active) {
            if (one.resource.equals(resource) && meant.test(one.lag)) {
                seen = Math.min(seen, one.seen);
            }
        }
        return seen;
    }
}
