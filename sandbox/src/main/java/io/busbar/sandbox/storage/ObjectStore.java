package io.busbar.sandbox.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.status.StatusException;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The API server as the simulated parts of the cluster see it: kubelet, scheduler, garbage collector, namespace
 * controller.
 *
 * <p>Reads answer at once from memory, in the storage version. Nodes that are read are shared: never change one, copy
 * it first. Writes go the way of any client's request, admission webhooks included, and fail with
 * {@link StatusException}.
 *
 * <p>One context: the API server's own. Futures complete on it, handlers are called on it.
 */
public interface ObjectStore {

    @Nullable
    ObjectNode get(GroupResource resource, ObjectKey key);

    /** All of a kind, by namespace and name; empty for a kind that is not served. */
    List<ObjectNode> list(GroupResource resource);

    List<ObjectNode> list(GroupResource resource, String namespace);

    /** Every kind that is served and can be listed, built in or by CRD. */
    List<GroupResource> resources();

    /**
     * Calls the handler with an ADDED event for each object that is there, before this returns, then with each change,
     * in order. A null resource means all kinds, those of later CRDs too.
     *
     * @return ends the watch when run
     */
    Runnable watch(@Nullable GroupResource resource, Consumer<StoreEvent> handler);

    Future<ObjectNode> create(GroupResource resource, ObjectNode object);

    /**
     * Reads, changes and writes an object, again when somebody else was first. Nothing is written when the change
     * returns an equal object or null.
     *
     * @param change gets a copy that it may alter
     */
    Future<ObjectNode> update(GroupResource resource, ObjectKey key, UnaryOperator<@Nullable ObjectNode> change);

    /** Like {@link #update}, through the status subresource. */
    Future<ObjectNode> updateStatus(GroupResource resource, ObjectKey key, UnaryOperator<@Nullable ObjectNode> change);

    /** @param options a {@code DeleteOptions}; null for the kind's defaults */
    Future<Void> delete(GroupResource resource, ObjectKey key, @Nullable JsonNode options);
}
