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
 * for. To be made before the first of them is acquired, as a watch that runs keeps what it was told to; a request that
 * comes later is joined where all that it needs is kept.
 *
 * <p>Immutable.
 */
public final class JoinedWatches {

    /** By the spec without its fields; none to keep everything. */
    private final Map<WatchSpec<?>, Set<String>> fields;

    private JoinedWatches(Map<WatchSpec<?>, Set<String>> fields) {
        this.fields = fields;
    }

    public static JoinedWatches of(Collection<? extends WatchRequest<?>> requests) {
        Map<WatchSpec<?>, Set<String>> fields = new HashMap<>();
        for (WatchRequest<?> request : requests) {
            fields.merge(request.spec().keeping(), request.spec().fields(), JoinedWatches::union);
        }
        return new JoinedWatches(Map.copyOf(fields));
    }

    /**
     * The request with what those that it is joined with keep, too. One that was not among them stays as it is, unless
     * they keep all that it needs.
     */
    public <T extends HasMetadata> WatchRequest<T> join(WatchRequest<T> request) {
        WatchSpec<T> spec = request.spec();
        Set<String> all = fields.getOrDefault(spec.keeping(), spec.fields());
        if (!union(all, spec.fields()).equals(all)) {
            return request;
        }
        return new WatchRequest<>(spec.keeping(all.toArray(String[]::new)), request.indexes(), request.triggers());
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
