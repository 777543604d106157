package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.busbar.sandbox.storage.StoreEvent;
import io.busbar.sandbox.verbs.Deletes;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the conditions of CustomResourceDefinitions, and empties those that are deleted.
 *
 * <p>One context. Names are always accepted: that two definitions don't claim one is not checked.
 */
public final class Establisher {

    private static final Logger log = LoggerFactory.getLogger(Establisher.class);

    private final ObjectStore store;
    private final InstantSource clock;

    public Establisher(ObjectStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    public void start() {
        store.watch(CustomResources.DEFINITIONS, this::changed);
        store.watch(null, this::instanceGone);
    }

    private void changed(StoreEvent event) {
        if (event.type() == StoreEvent.Type.DELETED) {
            return;
        }
        Future<?> work = Metadata.of(event.object()).deleting()
                ? empty(event.object())
                : store.updateStatus(CustomResources.DEFINITIONS, event.key(), this::established);
        work.onFailure(failure -> log.atDebug()
                .addKeyValue("name", event.key().name())
                .setCause(failure)
                .log("a definition changed while it was being worked on"));
    }

    private void instanceGone(StoreEvent event) {
        if (event.type() != StoreEvent.Type.DELETED || event.resource().group().isEmpty()) {
            return;
        }
        ObjectKey key = ObjectKey.of(event.resource().toString());
        ObjectNode definition = store.get(CustomResources.DEFINITIONS, key);
        if (definition != null && Metadata.of(definition).deleting()) {
            release(key, event.resource());
        }
    }

    private @Nullable ObjectNode established(@Nullable ObjectNode definition) {
        if (definition == null) {
            return null;
        }
        ObjectNode status = definition.withObject("/status");
        status.set("acceptedNames", definition.path("spec").path("names").deepCopy());
        ArrayNode conditions =
                status.path("conditions") instanceof ArrayNode array ? array : status.putArray("conditions");
        condition(conditions, "NamesAccepted", "NoConflicts", "no conflicts found");
        condition(conditions, "Established", "InitialNamesAccepted", "the initial names have been accepted");
        return definition;
    }

    private void condition(ArrayNode conditions, String type, String reason, String message) {
        for (JsonNode condition : conditions) {
            if (condition.path("type").asText().equals(type)) {
                return;
            }
        }
        conditions
                .addObject()
                .put("type", type)
                .put("status", "True")
                .put("lastTransitionTime", Metadata.time(clock.instant()))
                .put("reason", reason)
                .put("message", message);
    }

    /** Deletes the instances; those with finalizers keep their definition until they are gone. */
    private Future<?> empty(ObjectNode definition) {
        GroupResource storage = CustomResources.storage(definition);
        List<Future<?>> deletions = new ArrayList<>();
        for (ObjectNode instance : store.list(storage)) {
            if (!Metadata.of(instance).deleting()) {
                deletions.add(store.delete(storage, Metadata.of(instance).key(), null));
            }
        }
        return Future.join(deletions)
                .eventually(() -> release(Metadata.of(definition).key(), storage));
    }

    private Future<?> release(ObjectKey key, GroupResource storage) {
        if (!store.list(storage).isEmpty()) {
            return Future.succeededFuture();
        }
        return store.update(CustomResources.DEFINITIONS, key, definition -> {
            if (definition == null) {
                return null;
            }
            List<String> left = new ArrayList<>(Metadata.of(definition).finalizers());
            left.remove(Deletes.INSTANCES);
            Metadata.of(definition).finalizers(left);
            return definition;
        });
    }
}
