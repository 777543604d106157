package io.busbar.reconciler;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Brings the cluster nearer to what a primary asks for.
 *
 * <p>Called on a worker, so it may block; never for two objects of the same key at once. It must be idempotent: it is
 * called again after a crash, and whenever anything that its controller watches may concern the primary.
 */
@FunctionalInterface
public interface Reconciler<P extends HasMetadata> {

    /**
     * Called for a primary that is there, is not being deleted, and is not paused by the annotation
     * {@code busbar.io/paused: "true"}.
     *
     * @param primary as the store has it, own writes included; do not change it
     * @throws TerminalException when no retry can help before something changes
     * @throws io.fabric8.kubernetes.client.KubernetesClientException to be tried again, rate-limited; a conflict (409)
     *     about a write of the primary counts as no failure: it is tried again as soon as the newer primary is here
     * @throws Exception to be tried again, rate-limited; {@link InterruptedException} ends a reconcile whose time is up
     */
    ReconcileResult reconcile(P primary, ReconcileContext<P> context) throws Exception;

    /**
     * Called in place of {@link #reconcile} once a primary is being deleted, as long as it has the controller's
     * finalizer; paused or not, since whoever deletes it means it to go.
     */
    default CleanupResult cleanup(P primary, ReconcileContext<P> context) throws Exception {
        return CleanupResult.done();
    }
}
