package io.busbar.reconciler.work;

import io.busbar.common.watch.WatchRequest;
import io.busbar.reconciler.Controller;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a controller has declared to read: whether another one happens to watch the same kind makes no difference, as
 * that one may keep other fields, and may go.
 *
 * <p>Immutable.
 *
 * @param any whether it may read what it has not declared, too
 * @param owned by each kind that is watched, whether its first watch has the index of owned objects
 * @param metadataOnly the kinds whose first watch keeps metadata alone
 */
record Reads(
        String controller,
        boolean any,
        Map<Class<? extends HasMetadata>, Boolean> owned,
        Set<Class<? extends HasMetadata>> metadataOnly) {

    /** All, declared or not. */
    static Reads any(Controller<?> controller) {
        return new Reads(controller.name(), true, Map.of(), Set.of());
    }

    /** @param cluster in which it reads */
    static Reads of(Controller<?> controller, String cluster) {
        Map<Class<? extends HasMetadata>, Boolean> owned = new HashMap<>();
        Set<Class<? extends HasMetadata>> metadataOnly = new HashSet<>();
        for (WatchRequest<?> request : controller.watchRequests()) {
            if (!request.spec().cluster().equals(cluster)) {
                continue;
            }
            if (request.spec().metadataOnly()
                    && !owned.containsKey(request.spec().type())) {
                metadataOnly.add(request.spec().type());
            }
            boolean indexed = request.indexes().contains(Controller.byControllerUid());
            owned.merge(request.spec().type(), indexed, Boolean::logicalOr);
        }
        return new Reads(controller.name(), false, Map.copyOf(owned), Set.copyOf(metadataOnly));
    }

    /** Those that are declared. */
    Stream<Class<? extends HasMetadata>> types() {
        return owned.keySet().stream();
    }

    void requireWatched(Class<?> type) {
        if (!any && !owned.containsKey(type)) {
            throw new IllegalArgumentException("controller " + controller + " does not watch " + type.getSimpleName()
                    + ": declare it with .reads(…), .watches(…) or .owns(…), or read it with context.client()");
        }
    }

    void requireOwned(Class<?> type) {
        if (!any && !owned.getOrDefault(type, false)) {
            throw new IllegalArgumentException("controller " + controller + " has no index of the "
                    + type.getSimpleName() + "s that its primaries control: declare .owns(" + type.getSimpleName()
                    + ".class)");
        }
    }
}
