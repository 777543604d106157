package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.busbar.sandbox.storage.StoreEvent;
import io.busbar.sandbox.verbs.Deletes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the conditions of CustomResourceDefinitions, and empties those that are deleted.
 *
 * <p>One context. A definition is established once its names are accepted, and stays so; when a definition changes or
 * goes, the others of its group are looked at again.
 */
public final class Establisher {

    private static final Logger log = LoggerFactory.getLogger(Establisher.class);

    private final Vertx vertx;
    private final ObjectStore store;
    private final InstantSource clock;

    public Establisher(Vertx vertx, ObjectStore store, InstantSource clock) {
        this.vertx = vertx;
        this.store = store;
        this.clock = clock;
    }

    public void start() {
        store.watch(CustomResources.DEFINITIONS, this::changed);
        store.watch(null, this::instanceGone);
    }

    private void changed(StoreEvent event) {
        JsonNode group = event.object().path("spec").path("group");
        for (ObjectNode definition : store.list(CustomResources.DEFINITIONS)) {
            if (definition.path("spec").path("group").equals(group)) {
                review(definition);
            }
        }
    }

    private void review(ObjectNode definition) {
        ObjectKey key = Metadata.of(definition).key();
        Future<?> work = Metadata.of(definition).deleting()
                ? store.updateStatus(CustomResources.DEFINITIONS, key, this::ending)
                        .compose(marked -> empty(definition))
                : store.updateStatus(CustomResources.DEFINITIONS, key, this::established);
        work.onFailure(failure -> log.atDebug()
                .addKeyValue("name", key.name())
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
        NameClaims claims = NameClaims.of(definition, store.list(CustomResources.DEFINITIONS));
        definition.withObject("/status").set("acceptedNames", claims.names());
        Definitions.condition(
                definition, "NamesAccepted", claims.accepted(), claims.reason(), claims.message(), clock.instant());
        if (claims.accepted()) {
            Definitions.condition(
                    definition,
                    "Established",
                    true,
                    "InitialNamesAccepted",
                    "the initial names have been accepted",
                    clock.instant());
        } else if (!Definitions.condition(definition, "Established").equals("True")) {
            Definitions.condition(
                    definition, "Established", false, "NotAccepted", "not all names are accepted", clock.instant());
        }
        return definition;
    }

    private @Nullable ObjectNode ending(@Nullable ObjectNode definition) {
        if (definition != null) {
            Definitions.condition(
                    definition,
                    "Terminating",
                    true,
                    "InstanceDeletionInProgress",
                    "CustomResource deletion is in progress",
                    clock.instant());
        }
        return definition;
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
        // Definitions are large: others have their turn before the next write of this one.
        Promise<Void> turn = Promise.promise();
        Future.join(deletions).onComplete(tried -> vertx.runOnContext(others -> turn.complete()));
        return turn.future().compose(next -> release(Metadata.of(definition).key(), storage));
    }

    private Future<?> release(ObjectKey key, GroupResource storage) {
        if (!store.list(storage).isEmpty()) {
            return Future.succeededFuture();
        }
        return store.update(CustomResources.DEFINITIONS, key, definition -> {
            if (definition == null) {
                return null;
            }
            Definitions.condition(
                    definition,
                    "Terminating",
                    false,
                    "InstanceDeletionCompleted",
                    "removed all instances",
                    clock.instant());
            List<String> left = new ArrayList<>(Metadata.of(definition).finalizers());
            left.remove(Deletes.INSTANCES);
            Metadata.of(definition).finalizers(left);
            return definition;
        });
    }
}
