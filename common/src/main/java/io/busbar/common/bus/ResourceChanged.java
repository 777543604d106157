package io.busbar.common.bus;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;

/**
 * Says that the store of a watch has taken a change: whoever cares reads the object from its lister.
 *
 * <p>Immutable. Published after the store was written, in the order of the writes. A kind may be watched in several
 * ways, and each of the watches has a store: an object that leaves the selector of one is deleted there, and nowhere
 * else. So who reads one lister follows the changes of {@linkplain io.busbar.common.watch.Lister#watch() its} watch.
 *
 * @param watch which of the watches of this kind
 * @param resourceVersion of the object as it is now stored, or as it last was when it is deleted; opaque
 */
public record ResourceChanged(ResourceType type, String watch, ObjectKey key, Kind kind, String resourceVersion) {

    public enum Kind {
        ADDED,
        MODIFIED,
        DELETED
    }
}
