package io.busbar.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls a controller for each object of its kind that changed, or whose dependents did.
 *
 * <p>One context.
 */
public final class ControllerLoop {

    /** Brings one object to its state. */
    @FunctionalInterface
    public interface Sync {

        /**
         * @param object as it is stored: never to be changed
         * @return completes with the time after which to look again, or null
         */
        Future<@Nullable Duration> sync(ObjectNode object);
    }

    private final ControllerContext context;
    private final Kind kind;
    private final SyncLoop loop;
    private final List<Runnable> watches = new ArrayList<>();

    public ControllerLoop(ControllerContext context, Kind kind, Sync sync) {
        this.context = context;
        this.kind = kind;
        this.loop = new SyncLoop(context.vertx(), context.clock(), context.name(), key -> {
            ObjectNode object = context.store().get(kind.resource(), key);
            return object == null ? Future.succeededFuture() : sync.sync(object);
        });
        watches.add(context.store().watch(kind.resource(), event -> loop.soon(event.key())));
    }

    /** Also for what it controls. */
    public ControllerLoop owns(Kind dependent) {
        watches.add(context.store().watch(dependent.resource(), this::wakeController));
        return this;
    }

    /**
     * Also for what it controls, and for what nobody controls that it may adopt.
     *
     * @param selector of an object of the controller's kind
     */
    public ControllerLoop adopts(Kind dependent, Function<ObjectNode, LabelSelector> selector) {
        owns(dependent);
        watches.add(context.store().watch(dependent.resource(), event -> {
            JsonNode labels = event.object().path("metadata").path("labels");
            if (event.type() != StoreEvent.Type.DELETED
                    && OwnerReferences.controllerUid(event.object()).isEmpty()
                    && !Metadata.of(event.object()).deleting()
                    && labels.size() > 0) {
                context.store().list(kind.resource(), event.key().namespace()).stream()
                        .filter(owner -> selector.apply(owner).matches(labels))
                        .forEach(owner -> loop.soon(Metadata.of(owner).key()));
            }
        }));
        return this;
    }

    /** Also for changes of another kind. */
    public ControllerLoop watches(Kind other, Function<StoreEvent, Iterable<ObjectKey>> concerned) {
        watches.add(context.store()
                .watch(other.resource(), event -> concerned.apply(event).forEach(loop::soon)));
        return this;
    }

    /** Begins nothing any more; what is under way ends. */
    public void stop() {
        watches.forEach(Runnable::run);
        loop.stop();
    }

    private void wakeController(StoreEvent event) {
        wake(event, event.object());
        ObjectNode before = event.previous();
        if (before != null
                && !OwnerReferences.controllerUid(before).equals(OwnerReferences.controllerUid(event.object()))) {
            wake(event, before);
        }
    }

    private void wake(StoreEvent event, ObjectNode object) {
        JsonNode owner = OwnerReferences.controller(object);
        if (OwnerReferences.isOf(owner, kind)) {
            loop.soon(new ObjectKey(event.key().namespace(), owner.path("name").asText()));
        }
    }
}
