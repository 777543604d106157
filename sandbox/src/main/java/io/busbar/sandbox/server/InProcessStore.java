package io.busbar.sandbox.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.request.DeleteOptions;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.busbar.sandbox.storage.StoreEvent;
import io.busbar.sandbox.verbs.Cluster;
import io.busbar.sandbox.verbs.Verbs;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The door for one part of the cluster, under its own name.
 *
 * <p>One context.
 */
public final class InProcessStore implements ObjectStore {

    private final Cluster cluster;
    private final Verbs verbs;
    private final ChangeFeed feed;
    private final WriteOptions options;

    /** @param options who writes, as webhooks and managedFields tell it */
    public InProcessStore(Cluster cluster, Verbs verbs, ChangeFeed feed, WriteOptions options) {
        this.cluster = cluster;
        this.verbs = verbs;
        this.feed = feed;
        this.options = options;
    }

    @Override
    public @Nullable ObjectNode get(GroupResource resource, ObjectKey key) {
        return cluster.store().shelf(resource).get(key);
    }

    @Override
    public List<ObjectNode> list(GroupResource resource) {
        return list(resource, "");
    }

    @Override
    public List<ObjectNode> list(GroupResource resource, String namespace) {
        return List.copyOf(cluster.store().shelf(resource).objects(namespace).values());
    }

    @Override
    public List<GroupResource> resources() {
        return cluster.catalog().stored().stream().map(Resource::storage).toList();
    }

    @Override
    public Runnable watch(@Nullable GroupResource resource, Consumer<StoreEvent> handler) {
        long since = cluster.store().revision();
        for (GroupResource known : resource == null ? resources() : List.of(resource)) {
            list(known)
                    .forEach(object -> handler.accept(new StoreEvent(
                            StoreEvent.Type.ADDED,
                            since,
                            known,
                            Metadata.of(object).key(),
                            object,
                            null)));
        }
        return feed.listen(since, event -> {
            if (resource == null || resource.equals(event.resource())) {
                handler.accept(event);
            }
        });
    }

    @Override
    public Future<ObjectNode> create(GroupResource resource, ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        return attempt(() ->
                verbs.creates().create(target(resource, Metadata.of(copy).namespace(), ""), options, copy));
    }

    @Override
    public Future<ObjectNode> update(
            GroupResource resource, ObjectKey key, UnaryOperator<@Nullable ObjectNode> change) {
        return change(resource, key, "", change);
    }

    @Override
    public Future<ObjectNode> updateStatus(
            GroupResource resource, ObjectKey key, UnaryOperator<@Nullable ObjectNode> change) {
        return change(resource, key, "status", change);
    }

    @Override
    public Future<Void> delete(GroupResource resource, ObjectKey key, @Nullable JsonNode how) {
        return attempt(() -> verbs.deletes()
                .delete(
                        target(resource, key.namespace(), key.name()),
                        options,
                        how == null ? DeleteOptions.DEFAULT : DeleteOptions.of(how))
                .mapEmpty());
    }

    /** Takes its own finalizer from the spec of a namespace; others may have theirs there. */
    public Future<ObjectNode> finalizeNamespace(String name) {
        return change(GroupResource.core("namespaces"), ObjectKey.of(name), "finalize", namespace -> {
            if (namespace != null) {
                ArrayNode left = namespace.arrayNode();
                namespace.at("/spec/finalizers").forEach(finalizer -> {
                    if (!finalizer.asText().equals("kubernetes")) {
                        left.add(finalizer);
                    }
                });
                namespace.withObject("/spec").set("finalizers", left);
            }
            return namespace;
        });
    }

    private Future<ObjectNode> change(
            GroupResource resource, ObjectKey key, String part, UnaryOperator<@Nullable ObjectNode> change) {
        return attempt(() -> {
            ObjectNode current = get(resource, key);
            if (current == null) {
                throw StatusException.notFound(resource, key.name());
            }
            ObjectNode wanted = change.apply(current.deepCopy());
            if (wanted == null || wanted.equals(current)) {
                return Future.succeededFuture(current);
            }
            Target whole = target(resource, key.namespace(), key.name());
            Target target = whole.resource().subresources().contains(part) ? whole.sub(part) : whole;
            return verbs.updates().patch(target, options, before -> {
                ObjectNode after = change.apply(before.deepCopy());
                return after == null ? before.deepCopy() : after;
            });
        });
    }

    private Target target(GroupResource resource, String namespace, String name) {
        return cluster.catalog()
                .stored(resource)
                .map(served -> new Target(served, namespace, name, ""))
                .orElseThrow(() -> StatusException.notFound(resource, name));
    }

    private static <T> Future<T> attempt(Supplier<Future<T>> write) {
        try {
            return write.get();
        } catch (StatusException refused) {
            return Future.failedFuture(refused);
        }
    }
}
