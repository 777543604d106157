package io.busbar.common.bus;

import io.busbar.common.ObjectKey;

/**
 * Hands a key to a worker, which replies with a {@link ReconcileOutcome}.
 *
 * <p>Immutable.
 *
 * @param reconcileId stands in every log line of this reconcile
 * @param attempt 1, and one more for each failure in a row
 * @param cause what has made it necessary: the latest of all that came while the key waited
 * @param traceparent of the key's time in the queue, as {@link io.busbar.common.trace} passes it on; empty where that
 *     is not traced
 */
public record ReconcileTask(ObjectKey key, String reconcileId, int attempt, Cause cause, String traceparent) {

    /** One that is not traced. */
    public ReconcileTask(ObjectKey key, String reconcileId, int attempt) {
        this(key, reconcileId, attempt, Cause.of(Cause.How.UNKNOWN, key), "");
    }
}
