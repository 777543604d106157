package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.select.ShardSelector;
import io.busbar.sandbox.storage.StoreEvent;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which changes a watch tells, and as what: an object that starts or ceases to be selected was added or deleted, as far
 * as the watch is concerned.
 *
 * <p>Immutable.
 *
 * @param wanted whether an object is selected among those of the shard
 * @param anyVersion whether an object is selected alike in each version of its kind
 * @param shard of which an object is as long as it is there; null for all
 */
record Selection(
        Predicate<ObjectNode> wanted,
        boolean anyVersion,
        @Nullable ShardSelector shard) {

    /** What to tell. */
    record Told(String type, ObjectNode object) {}

    /** Whether an object is of the shard, in whatever version of its kind. */
    boolean inShard(ObjectNode object) {
        return shard == null || shard.matches(object);
    }

    /** Those that are. */
    List<ObjectNode> inShard(Collection<ObjectNode> objects) {
        return shard == null
                ? List.copyOf(objects)
                : objects.stream().filter(shard::matches).toList();
    }

    /** Null when the change is none of the watch's business, though it is one of the shard. */
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
