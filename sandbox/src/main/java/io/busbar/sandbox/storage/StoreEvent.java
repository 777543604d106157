package io.busbar.sandbox.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * A change of one object.
 *
 * <p>Immutable, and so must its nodes be treated.
 *
 * @param revision of the change, unique among all kinds
 * @param object as it is now; for a deletion its last form, with the resourceVersion of the deletion
 * @param previous as it was before; null for a creation
 */
public record StoreEvent(
        Type type,
        long revision,
        GroupResource resource,
        ObjectKey key,
        ObjectNode object,
        @Nullable ObjectNode previous) {

    /** As on the wire of a watch. */
    public enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }
}
