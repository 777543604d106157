package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.StoreEvent;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which changes a watch tells, and as what: an object that starts or ceases to be selected was added or deleted, as far as the watch
 * is concerned.
 *
 * <p>Immutable.
 *
 * @param anyVersion whether an object is selected alike in each version of its kind
 */
record Selection(Predicate<ObjectNode> wanted, boolean anyVersion) {

    /** What to tell. */
    record Told(String type, ObjectNode object) {}

    /** Null when the change is none of the watch's business. */
    @Nullable
    Told of(StoreEvent event, ObjectNode object, @Nullable ObjectNode previous) {
        ObjectNode before = previous != null && wanted.test(previous) ? previous : null;
        boolean is = event.type() != StoreEvent.Type.DELETED && wanted.test(object);
        if (is) {
            return new Told(before == null ? "ADDED" : "MODIFIED", object);
        }
        return before == null ? null : new Told("DELETED", last(event, object, before));
    }

    /** The last form that was selected, with the revision of the change. */
    private static ObjectNode last(StoreEvent event, ObjectNode object, ObjectNode previous) {
        if (event.type() == StoreEvent.Type.DELETED) {
            return object;
        }
        ObjectNode last = previous.deepCopy();
        last.withObject("/metadata").put("resourceVersion", Long.toString(event.revision()));
        return last;
    }
}
