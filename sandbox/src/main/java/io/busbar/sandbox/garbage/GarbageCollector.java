package io.busbar.sandbox.garbage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.controller.EventRecorder;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.garbage.OwnerGraph.Item;
import io.busbar.sandbox.garbage.OwnerGraph.Reference;
import io.busbar.sandbox.loop.KeyedLoop;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.busbar.sandbox.storage.StoreEvent;
import io.busbar.sandbox.syntax.GoText;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
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

    /** Nobody owns nor is owned by what happened. */
    private static final GroupResource EVENTS = GroupResource.core("events");
    /** How long to wait for an owner's kind that is not served, or not yet. */
    private static final Duration UNSERVED = Duration.ofSeconds(5);

    /** What has become of the owner that a reference names. */
    private enum Owner {
        STAYS,
        WAITS,
        GONE,
        /** Of a kind that is not served. */
        UNKNOWN,
        /** In a namespace, while its dependent is in none: never an owner. */
        OUT_OF_REACH
    }

    private final ObjectStore store;
    private final Catalog catalog;
    private final EventRecorder events;
    private final OwnerGraph graph = new OwnerGraph();
    private final DepartedOwners departed = new DepartedOwners();
    private final KeyedLoop<String> loop;
    private Runnable watch = () -> {};
    private boolean complete;

    public GarbageCollector(Vertx vertx, ObjectStore store, Catalog catalog, ClusterClock clock) {
        this.store = store;
        this.catalog = catalog;
        this.events = new EventRecorder(store, clock, "garbage-collector-controller");
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
        if (event.resource().equals(EVENTS)) {
            return;
        }
        Item before = graph.apply(event);
        if (!complete) {
            return;
        }
        String uid = Metadata.of(event.object()).uid();
        Set<String> concerned = new HashSet<>();
        Item now = graph.get(uid);
        List<Item> dependents = graph.dependents(uid);
        if (now != null) {
            concerned.add(uid);
            tellOfStrangers(before, now, dependents);
        } else if (!dependents.isEmpty()) {
            departed.add(uid, event.key(), event.object().path("kind").asText());
        }
        if (now == null || before == null || now.waitsForDependents()) {
            dependents.forEach(dependent -> concerned.add(dependent.uid()));
        }
        for (Item form : new Item[] {before, now}) {
            if (form != null) {
                concerned.addAll(form.owners().keySet());
            }
        }
        concerned.forEach(loop::now);
    }

    /** Records an Event for each reference, new or newly resolved, to an owner in another namespace. */
    private void tellOfStrangers(@Nullable Item before, Item now, List<Item> dependents) {
        for (Reference reference : now.owners().values()) {
            Item owner = graph.get(reference.uid());
            if (owner != null
                    && isStranger(owner, now)
                    && (before == null || !before.owners().containsKey(reference.uid()))) {
                tell(now, reference);
                break;
            }
        }
        if (before == null) {
            for (Item dependent : dependents) {
                Reference reference = dependent.owners().get(now.uid());
                if (reference != null && isStranger(now, dependent)) {
                    tell(dependent, reference);
                }
            }
        }
    }

    private static boolean isStranger(Item owner, Item dependent) {
        String namespace = owner.key().namespace();
        return !namespace.isEmpty() && !namespace.equals(dependent.key().namespace());
    }

    private void tell(Item dependent, Reference owner) {
        ObjectNode object = store.get(dependent.resource(), dependent.key());
        if (object != null) {
            String namespace = dependent.key().namespace();
            Kind kind = new Kind(
                    dependent.resource(),
                    object.path("apiVersion").asText(),
                    object.path("kind").asText());
            events.warning(
                    kind,
                    object,
                    "OwnerRefInvalidNamespace",
                    "ownerRef [" + owner.apiVersion() + "/" + owner.kind()
                            + (namespace.isEmpty() ? "" : ", namespace: " + namespace) + ", name: " + owner.name()
                            + ", uid: " + owner.uid() + "] does not exist in namespace " + GoText.quote(namespace));
        }
    }

    private Future<@Nullable Duration> review(String uid) {
        Item item = graph.get(uid);
        if (item == null) {
            return Future.succeededFuture();
        }
        Future<@Nullable Duration> done = item.orphansDependents()
                ? orphan(item)
                : item.waitsForDependents() ? awaitDependents(item) : judge(item);
        return done.recover(e -> {
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

    /**
     * Deletes an object none of whose owners is there to stay; with one that is, drops the references to the others.
     */
    private Future<@Nullable Duration> judge(Item item) {
        if (item.owners().isEmpty() || item.deleting()) {
            return Future.succeededFuture();
        }
        List<String> leaving = new ArrayList<>();
        boolean awaited = false;
        for (Reference reference : item.owners().values()) {
            Owner owner = find(item, reference);
            if (owner == Owner.UNKNOWN) {
                return Future.succeededFuture(UNSERVED);
            }
            if (owner == Owner.OUT_OF_REACH) {
                return Future.succeededFuture();
            }
            if (owner != Owner.STAYS) {
                leaving.add(reference.uid());
                awaited |= owner == Owner.WAITS;
            }
        }
        if (leaving.isEmpty()) {
            return Future.succeededFuture();
        }
        if (leaving.size() < item.owners().size()) {
            return done(disown(item, leaving));
        }
        List<Item> dependents = graph.dependents(item.uid());
        if (awaited && !dependents.isEmpty()) {
            Future<?> ready = dependents.stream().anyMatch(Item::waitsForDependents)
                    ? references(item, Set.of(), false)
                    : Future.succeededFuture();
            return done(ready.compose(unblocked -> delete(item, "Foreground")));
        }
        String other = item.finalizers().contains(OwnerGraph.FOREGROUND) ? "Foreground" : "Background";
        return done(delete(item, item.finalizers().contains(OwnerGraph.ORPHAN) ? "Orphan" : other));
    }

    /** An owner is what has the kind, the name and the uid of a reference, in the dependent's namespace or in none. */
    private Owner find(Item item, Reference reference) {
        String namespace = item.key().namespace();
        if (departed.contains(reference, namespace)) {
            return Owner.GONE;
        }
        Resource resource =
                catalog.kind(reference.apiVersion(), reference.kind()).orElse(null);
        if (resource == null) {
            return Owner.UNKNOWN;
        }
        boolean namespaced = resource.type().namespaced();
        if (namespaced && namespace.isEmpty()) {
            return Owner.OUT_OF_REACH;
        }
        ObjectKey key = ObjectKey.of(namespaced ? namespace : "", reference.name());
        Item seen = graph.get(reference.uid());
        if (seen != null && seen.key().equals(key) && seen.resource().equals(resource.storage())) {
            return seen.waitsForDependents() ? Owner.WAITS : Owner.STAYS;
        }
        ObjectNode unseen = store.get(resource.storage(), key);
        return unseen != null && Metadata.of(unseen).uid().equals(reference.uid()) ? Owner.STAYS : Owner.GONE;
    }

    private static Future<@Nullable Duration> done(Future<?> work) {
        return work.map(nothing -> null);
    }

    private Future<@Nullable Duration> awaitDependents(Item owner) {
        List<Item> dependents = graph.dependents(owner.uid());
        boolean blocked = dependents.stream()
                .map(dependent -> dependent.owners().get(owner.uid()))
                .anyMatch(reference -> reference != null && reference.blocks());
        if (!blocked) {
            return done(release(owner, OwnerGraph.FOREGROUND));
        }
        dependents.forEach(dependent -> loop.now(dependent.uid()));
        return Future.succeededFuture();
    }

    private Future<@Nullable Duration> orphan(Item owner) {
        List<Future<?>> done = new ArrayList<>();
        graph.dependents(owner.uid()).forEach(dependent -> done.add(disown(dependent, List.of(owner.uid()))));
        return done(Future.all(done).compose(all -> release(owner, OwnerGraph.ORPHAN)));
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
        return references(item, Set.copyOf(owners), true);
    }

    /** @param blocking false when none of the references that stay may hold up a deletion */
    private Future<?> references(Item item, Set<String> dropped, boolean blocking) {
        return store.update(item.resource(), item.key(), object -> {
                    if (isAnother(object, item)) {
                        return null;
                    }
                    ArrayNode kept = JsonNodeFactory.instance.arrayNode();
                    JsonNode references = object.path("metadata").path("ownerReferences");
                    references.forEach(reference -> {
                        if (!blocking
                                && reference.path("blockOwnerDeletion").asBoolean()
                                && reference instanceof ObjectNode blocks) {
                            blocks.put("blockOwnerDeletion", false);
                        }
                        if (!dropped.contains(reference.path("uid").asText())) {
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

    /**
     * The last owners that were seen to go, for dependents that are judged when the owner's kind is no longer served.
     */
    private static final class DepartedOwners {

        private static final int KEPT = 500;

        private record Departed(String uid, ObjectKey key, String kind) {}

        private final Set<Departed> known = new LinkedHashSet<>();

        void add(String uid, ObjectKey key, String kind) {
            known.add(new Departed(uid, key, kind));
            if (known.size() > KEPT) {
                known.remove(known.iterator().next());
            }
        }

        /** Whether a reference from a namespace means one of them. */
        boolean contains(Reference reference, String namespace) {
            return known.contains(
                            new Departed(reference.uid(), ObjectKey.of(namespace, reference.name()), reference.kind()))
                    || known.contains(new Departed(reference.uid(), ObjectKey.of(reference.name()), reference.kind()));
        }
    }
}
