package io.busbar.reconciler;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

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

    /**
     * Called each time that {@link #reconcile} or {@link #cleanup} has failed or run out of time, after that was logged
     * and within as much time again; not for a conflict. Whether it is tried again, and when, is decided already.
     *
     * <p>What this returns should not differ from one failure to the next that is the same: a time or a number of
     * attempts would be written each time, and where the controller's predicate lets its own status pass it would
     * bring the primary back at once.
     *
     * @param primary as it is stored now, own writes included; do not change it
     * @param failure which is final until something changes if it is a {@link TerminalException};
     *     {@link java.util.concurrent.TimeoutException} where the time was up
     * @param context of the reconcile that has failed; {@link ReconcileContext#attempt()} tells how many in a row have
     * @return a copy of the primary whose status tells of it, which is written only if it differs; empty for no write
     * @throws Exception which is logged, and changes nothing
     */
    default Optional<P> failed(P primary, Throwable failure, ReconcileContext<P> context) throws Exception {
        return Optional.empty();
    }
}
