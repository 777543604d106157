package io.busbar.sandbox.garbage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.garbage.OwnerGraph.Item;
import io.busbar.sandbox.loop.KeyedLoop;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes objects whose owners are gone, and carries out foreground and orphaning deletions.
 *
 * <p>One context: the API server's own, on which it is started.
 */
public final class GarbageCollector {

    private static final Logger log = LoggerFactory.getLogger(GarbageCollector.class);

    private final ObjectStore store;
    private final OwnerGraph graph = new OwnerGraph();
    private final KeyedLoop<String> loop;
    private Runnable watch = () -> {};
    private boolean complete;

    public GarbageCollector(Vertx vertx, ObjectStore store, ClusterClock clock) {
        this.store = store;
        this.loop = new KeyedLoop<>(vertx, clock, this::review);
    }

    /** An owner may come after its dependent in the first list: judgement waits until all of it has been seen. */
    public void start() {
        watch = store.watch(null, this::changed);
        complete = true;
        graph.uids().forEach(loop::now);
    }

    /** Nothing is begun any more; what is under way ends. */
    public void stop() {
        watch.run();
        loop.stop();
    }

    private void changed(StoreEvent event) {
        Item before = graph.apply(event);
        if (!complete) {
            return;
        }
        String uid = Metadata.of(event.object()).uid();
        Set<String> concerned = new HashSet<>();
        Item now = graph.get(uid);
        if (now != null) {
            concerned.add(uid);
        }
        if (now == null || now.waitsForDependents()) {
            graph.dependents(uid).forEach(dependent -> concerned.add(dependent.uid()));
        }
        for (Item form : new Item[] {before, now}) {
            if (form != null) {
                concerned.addAll(form.owners().keySet());
            }
        }
        concerned.forEach(loop::now);
    }

    private Future<@Nullable Duration> review(String uid) {
        Item item = graph.get(uid);
        if (item == null) {
            return Future.succeededFuture();
        }
        Future<?> done = item.orphansDependents()
                ? orphan(item)
                : item.waitsForDependents() ? awaitDependents(item) : judge(item);
        return done.<@Nullable Duration>map(nothing -> null).recover(e -> {
            if (e instanceof StatusException refused && (refused.code() == 404 || refused.code() == 409)) {
                return Future.succeededFuture();
            }
            log.atWarn()
                    .setCause(e)
                    .addKeyValue("resource", item.resource())
                    .addKeyValue("namespace", item.key().namespace())
                    .addKeyValue("name", item.key().name())
                    .log("could not collect an object, will retry");
            return Future.failedFuture(e);
        });
    }

    /** Deletes an object none of whose owners is there to stay; with one that is, drops the references to the others. */
    private Future<?> judge(Item item) {
        if (item.owners().isEmpty() || item.deleting()) {
            return Future.succeededFuture();
        }
        List<String> leaving = new ArrayList<>();
        boolean awaited = false;
        for (String uid : item.owners().keySet()) {
            Item owner = graph.get(uid);
            if (owner == null || owner.waitsForDependents()) {
                leaving.add(uid);
                awaited |= owner != null;
            }
        }
        if (leaving.isEmpty()) {
            return Future.succeededFuture();
        }
        if (leaving.size() < item.owners().size()) {
            return disown(item, leaving);
        }
        boolean inForeground = (awaited && !graph.dependents(item.uid()).isEmpty())
                || item.finalizers().contains(OwnerGraph.FOREGROUND);
        String policy = item.finalizers().contains(OwnerGraph.ORPHAN) ? "Orphan" : "Background";
        return delete(item, inForeground ? "Foreground" : policy);
    }

    private Future<?> awaitDependents(Item owner) {
        List<Item> dependents = graph.dependents(owner.uid());
        boolean blocked = dependents.stream()
                .anyMatch(dependent -> Boolean.TRUE.equals(dependent.owners().get(owner.uid())));
        if (!blocked) {
            return release(owner, OwnerGraph.FOREGROUND);
        }
        dependents.forEach(dependent -> loop.now(dependent.uid()));
        return Future.succeededFuture();
    }

    private Future<?> orphan(Item owner) {
        List<Future<?>> done = new ArrayList<>();
        graph.dependents(owner.uid()).forEach(dependent -> done.add(disown(dependent, List.of(owner.uid()))));
        return Future.all(done).compose(all -> release(owner, OwnerGraph.ORPHAN));
    }

    private Future<?> delete(Item item, String policy) {
        ObjectNode options = JsonNodeFactory.instance.objectNode().put("propagationPolicy", policy);
        options.putObject("preconditions").put("uid", item.uid());
        return store.delete(item.resource(), item.key(), options);
    }

    private Future<?> release(Item item, String finalizer) {
        return store.update(item.resource(), item.key(), object -> {
            if (isAnother(object, item)) {
                return null;
            }
            Metadata metadata = Metadata.of(object);
            metadata.finalizers(metadata.finalizers().stream()
                    .filter(other -> !other.equals(finalizer))
                    .toList());
            return object;
        });
    }

    /** An object that is gone needs no care. */
    private Future<?> disown(Item item, List<String> owners) {
        return store.update(item.resource(), item.key(), object -> {
                    if (isAnother(object, item)) {
                        return null;
                    }
                    ArrayNode kept = JsonNodeFactory.instance.arrayNode();
                    JsonNode references = object.path("metadata").path("ownerReferences");
                    references.forEach(reference -> {
                        if (!owners.contains(reference.path("uid").asText())) {
                            kept.add(reference);
                        }
                    });
                    Metadata.of(object).set("ownerReferences", kept.isEmpty() ? null : kept);
                    return object;
                })
                .recover(e -> e instanceof StatusException refused && refused.code() == 404
                        ? Future.succeededFuture()
                        : Future.failedFuture(e));
    }

    private static boolean isAnother(@Nullable ObjectNode object, Item item) {
        return object == null || !Metadata.of(object).uid().equals(item.uid());
    }
}
