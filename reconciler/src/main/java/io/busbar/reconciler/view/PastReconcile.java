package io.busbar.reconciler.view;

import io.busbar.common.bus.Cause;
import io.busbar.common.bus.ReconcileOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A reconcile that has ended.
 *
 * <p>Immutable.
 *
 * @param attempt 1, and one more for each failure in a row
 * @param waited how long the key was in the queue
 * @param delay how long the key is to wait for the next one; zero where there is none to come
 * @param error why it failed, shortened where that is long; empty where it did not
 * @param written what it has asked the API server to change, the first of it
 * @param unlisted how much it has asked for besides
 * @param trace of tracing; empty where it was not traced
 */
public record PastReconcile(
        Instant begun,
        String reconcileId,
        int attempt,
        Cause cause,
        Duration waited,
        Duration took,
        ReconcileOutcome.Kind outcome,
        Duration delay,
        String error,
        List<Written> written,
        int unlisted,
        String trace) {

    public PastReconcile {
        written = List.copyOf(written);
    }

    /**
     * A request that was to change something.
     *
     * <p>Immutable.
     *
     * @param method of HTTP
     * @param path without a query
     * @param code of the answer; 0 where there was none
     */
    public record Written(String method, String path, int code) {}
}
