package io.busbar.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A store without an API server: no admission, no validation, no versions. Deletions wait for finalizers and, of Pods
 * on a node, for their grace period, as the real ones do. One context.
 */
public final class FakeStore implements ObjectStore {

    private final Context context;
    private final Map<GroupResource, Map<ObjectKey, ObjectNode>> objects =
            new TreeMap<>(Comparator.comparing(GroupResource::toString));
    private final List<Consumer<StoreEvent>> listeners = new ArrayList<>();
    private final List<StoreEvent> history = new ArrayList<>();
    private long revision;

    public FakeStore(Context context) {
        this.context = context;
    }

    /** All changes since the start. */
    public List<StoreEvent> history() {
        return List.copyOf(history);
    }

    @Override
    public @Nullable ObjectNode get(GroupResource resource, ObjectKey key) {
        return of(resource).get(key);
    }

    @Override
    public List<ObjectNode> list(GroupResource resource) {
        return List.copyOf(of(resource).values());
    }

    @Override
    public List<ObjectNode> list(GroupResource resource, String namespace) {
        return list(resource).stream()
                .filter(object -> Metadata.of(object).namespace().equals(namespace))
                .toList();
    }

    @Override
    public List<GroupResource> resources() {
        return List.copyOf(objects.keySet());
    }

    @Override
    public Runnable watch(@Nullable GroupResource resource, Consumer<StoreEvent> handler) {
        Consumer<StoreEvent> filtered = event -> {
            if (resource == null || event.resource().equals(resource)) {
                handler.accept(event);
            }
        };
        objects.forEach((type, all) -> all.forEach((key, object) ->
                filtered.accept(new StoreEvent(StoreEvent.Type.ADDED, revision, type, key, object, null))));
        listeners.add(filtered);
        return () -> listeners.remove(filtered);
    }

    @Override
    public Future<ObjectNode> create(GroupResource resource, ObjectNode object) {
        ObjectNode created = object.deepCopy();
        Metadata metadata = Metadata.of(created);
        if (metadata.uid().isEmpty()) {
            metadata.node().put("uid", "uid-of-" + metadata.name());
        }
        return write(StoreEvent.Type.ADDED, resource, metadata.key(), created);
    }

    @Override
    public Future<ObjectNode> update(
            GroupResource resource, ObjectKey key, UnaryOperator<@Nullable ObjectNode> change) {
        ObjectNode before = get(resource, key);
        if (before == null) {
            return Future.failedFuture(StatusException.notFound(resource, key.name()));
        }
        ObjectNode after = change.apply(before.deepCopy());
        if (after == null || after.equals(before)) {
            return Future.succeededFuture(before);
        }
        Metadata metadata = Metadata.of(after);
        boolean over = metadata.deleting()
                && metadata.finalizers().isEmpty()
                && metadata.node().path("deletionGracePeriodSeconds").asInt() == 0;
        return write(over ? StoreEvent.Type.DELETED : StoreEvent.Type.MODIFIED, resource, key, after);
    }

    @Override
    public Future<ObjectNode> updateStatus(
            GroupResource resource, ObjectKey key, UnaryOperator<@Nullable ObjectNode> change) {
        return update(resource, key, change);
    }

    @Override
    public Future<Void> delete(GroupResource resource, ObjectKey key, @Nullable JsonNode options) {
        ObjectNode before = get(resource, key);
        if (before == null) {
            return Future.failedFuture(StatusException.notFound(resource, key.name()));
        }
        JsonNode how = options == null ? before.objectNode() : options;
        ObjectNode after = before.deepCopy();
        Metadata metadata = Metadata.of(after);
        List<String> finalizers = new ArrayList<>(metadata.finalizers());
        switch (how.path("propagationPolicy").asText()) {
            case "Foreground" -> finalizers.add("foregroundDeletion");
            case "Orphan" -> finalizers.add("orphan");
            default -> {}
        }
        metadata.finalizers(finalizers.stream().distinct().toList());
        boolean runs = resource.plural().equals("pods")
                && !after.path("spec").path("nodeName").asText().isEmpty();
        long grace = runs ? how.path("gracePeriodSeconds").asLong(30) : 0;
        if (grace == 0 && metadata.finalizers().isEmpty()) {
            return write(StoreEvent.Type.DELETED, resource, key, after).mapEmpty();
        }
        metadata.node().put("deletionTimestamp", "2026-01-01T00:00:30Z").put("deletionGracePeriodSeconds", grace);
        return write(StoreEvent.Type.MODIFIED, resource, key, after).mapEmpty();
    }

    private Future<ObjectNode> write(StoreEvent.Type type, GroupResource resource, ObjectKey key, ObjectNode object) {
        revision++;
        Metadata.of(object).node().put("resourceVersion", Long.toString(revision));
        ObjectNode previous = type == StoreEvent.Type.DELETED
                ? of(resource).remove(key)
                : of(resource).put(key, object);
        StoreEvent event = new StoreEvent(type, revision, resource, key, object, previous);
        history.add(event);
        context.runOnContext(turn -> List.copyOf(listeners).forEach(listener -> listener.accept(event)));
        return Future.succeededFuture(object);
    }

    private Map<ObjectKey, ObjectNode> of(GroupResource resource) {
        return objects.computeIfAbsent(resource, absent -> new TreeMap<>());
    }
}
