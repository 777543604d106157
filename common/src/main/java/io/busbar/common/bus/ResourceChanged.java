package io.busbar.common.bus;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;

/**
 * Says that the store of a kind has taken a change: whoever cares reads the object from its lister.
 *
 * <p>Immutable. Published after the store was written, in the order of the writes.
 *
 * @param resourceVersion of the object as it is now stored, or as it last was when it is deleted; opaque
 */
public record ResourceChanged(ResourceType type, ObjectKey key, Kind kind, String resourceVersion) {

    public enum Kind {
        ADDED,
        MODIFIED,
        DELETED
    }
}
