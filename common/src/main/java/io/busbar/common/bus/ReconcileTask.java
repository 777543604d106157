package io.busbar.common.bus;

import io.busbar.common.ObjectKey;

/**
 * Hands a key to a worker, which replies with a {@link ReconcileOutcome}.
 *
 * <p>Immutable.
 *
 * @param reconcileId stands in every log line of this reconcile
 * @param attempt 1, and one more for each failure in a row
 */
public record ReconcileTask(ObjectKey key, String reconcileId, int attempt) {}
