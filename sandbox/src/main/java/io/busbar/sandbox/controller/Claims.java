package io.busbar.sandbox.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Settles which objects belong to a controller: it adopts those that its selector finds and nobody controls, and lets
 * go of its own that the selector no longer finds.
 *
 * <p>One context.
 *
 * @param owner the controller's kind
 * @param owned the kind of what it controls
 */
public record Claims(ControllerContext context, Kind owner, Kind owned, OwnedIndex index) {

    /** @return what belongs to the object then */
    public Future<List<ObjectNode>> settle(ObjectNode object, LabelSelector selector) {
        Metadata metadata = Metadata.of(object);
        if (metadata.deleting()) {
            return Future.succeededFuture(index.of(metadata.uid()));
        }
        List<Future<?>> writes = new ArrayList<>();
        for (ObjectNode own : index.of(metadata.uid())) {
            if (!selector.matches(own.path("metadata").path("labels"))) {
                writes.add(change(own, changed -> {
                    OwnerReferences.remove(changed, metadata.uid());
                    return changed;
                }));
            }
        }
        for (ObjectNode free : index.unowned(metadata.namespace())) {
            if (selector.matches(free.path("metadata").path("labels"))
                    && !Metadata.of(free).deleting()) {
                writes.add(change(free, changed -> {
                    if (OwnerReferences.controllerUid(changed).isEmpty()) {
                        OwnerReferences.control(changed, object, owner);
                    }
                    return changed;
                }));
            }
        }
        return Future.all(writes).map(done -> index.of(metadata.uid()));
    }

    private Future<?> change(ObjectNode object, UnaryOperator<ObjectNode> change) {
        Metadata metadata = Metadata.of(object);
        return context.store()
                .update(
                        owned.resource(),
                        metadata.key(),
                        current ->
                                current == null || !Metadata.of(current).uid().equals(metadata.uid())
                                        ? null
                                        : change.apply(current));
    }
}
