package io.busbar.common.watch;

import io.busbar.common.ObjectKey;
import java.util.Collection;

/**
 * Turns changes of one kind into requests to a controller.
 *
 * <p>Immutable.
 *
 * @param controller whose queue gets the keys
 * @param cluster where the primaries are that the mapping names without a cluster; empty for the operator's own
 */
public record Trigger<T>(
        String controller, ChangePredicate<? super T> when, KeyMapping<? super T> mapping, String cluster) {

    /** For primaries in the operator's own cluster. */
    public Trigger(String controller, ChangePredicate<? super T> when, KeyMapping<? super T> mapping) {
        this(controller, when, mapping, "");
    }

    /** The primaries that an object concerns. */
    public Collection<ObjectKey> keys(T object, Listers listers) {
        Collection<ObjectKey> keys = mapping.keys(object, listers);
        return cluster.isEmpty()
                ? keys
                : keys.stream()
                        .map(key -> key.cluster().isEmpty() ? key.in(cluster) : key)
                        .toList();
    }

    /** Whether spec and status may be missing in the objects that this is shown. */
    public boolean readsMetadataOnly() {
        return when.readsMetadataOnly() && mapping.readsMetadataOnly();
    }
}
