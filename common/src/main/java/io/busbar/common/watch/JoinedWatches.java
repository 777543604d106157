package io.busbar.common.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Lets watches that differ only in the fields that they keep be one, which keeps the fields of all: one list, one
 * stream and one copy of each object for several controllers, each of which may find more in an object than it asked
 * for. It is sharded only where that is enough for all of them. To be made before the first of them is acquired, as a
 * watch that runs keeps what it was told to; a request that comes later is joined where all that it needs is kept.
 *
 * <p>Immutable.
 */
public final class JoinedWatches {

    /** By the spec without its fields, and whole: what those that have it in common keep. */
    private final Map<WatchSpec<?>, Kept> kept;

    /** @param fields none to keep everything */
    private record Kept(Set<String> fields, boolean sharded) {

        static Kept of(WatchSpec<?> spec) {
            return new Kept(spec.fields(), spec.sharded());
        }

        Kept and(Kept other) {
            return new Kept(union(fields, other.fields), sharded && other.sharded);
        }
    }

    private JoinedWatches(Map<WatchSpec<?>, Kept> kept) {
        this.kept = kept;
    }

    public static JoinedWatches of(Collection<? extends WatchRequest<?>> requests) {
        Map<WatchSpec<?>, Kept> kept = new HashMap<>();
        for (WatchRequest<?> request : requests) {
            kept.merge(shared(request.spec()), Kept.of(request.spec()), Kept::and);
        }
        return new JoinedWatches(Map.copyOf(kept));
    }

    private static <T extends HasMetadata> WatchSpec<T> shared(WatchSpec<T> spec) {
        return spec.keeping().wholeWatch();
    }

    /**
     * The request with what those that it is joined with keep, too. One that was not among them stays as it is, unless
     * they keep all that it needs.
     */
    public <T extends HasMetadata> WatchRequest<T> join(WatchRequest<T> request) {
        Kept own = Kept.of(request.spec());
        Kept all = kept.getOrDefault(shared(request.spec()), own);
        if (!all.and(own).equals(all)) {
            return request;
        }
        WatchSpec<T> joined = shared(request.spec()).keeping(all.fields().toArray(String[]::new));
        return new WatchRequest<>(
                all.sharded() ? joined.shardedWatch() : joined, request.indexes(), request.triggers());
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return Set.of();
        }
        Set<String> both = new TreeSet<>(one);
        both.addAll(other);
        return both;
    }
}
