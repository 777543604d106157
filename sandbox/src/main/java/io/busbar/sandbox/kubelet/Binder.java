package io.busbar.sandbox.kubelet;

import io.busbar.common.ObjectKey;
import io.vertx.core.Future;

/**
 * Binds a Pod to a node, as the binding subresource does: sets its node and the condition PodScheduled.
 *
 * <p>One context: the API server's own.
 */
@FunctionalInterface
public interface Binder {

    Future<Void> bind(ObjectKey pod, String uid, String node);
}
