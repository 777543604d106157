package io.busbar.reconciler.view;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a controller does at a moment.
 *
 * <p>Immutable.
 *
 * @param primaries the kind of what it reconciles
 * @param workers how many reconciles it makes at once
 * @param limit how long one may take
 * @param inFlight the reconciles that are under way, in the order of their beginnings
 * @param restless primaries that are reconciled again and again in a short time
 */
public record ControllerView(
        String name,
        ResourceType primaries,
        int workers,
        Duration limit,
        QueueView queue,
        List<InFlight> inFlight,
        List<Restless> restless) {

    public ControllerView {
        inFlight = List.copyOf(inFlight);
        restless = List.copyOf(restless);
    }

    /**
     * What waits.
     *
     * <p>Immutable.
     *
     * @param waiting how many keys could be handed out, by their reason
     * @param oldestWait how long the one has waited that waits longest of those that are next for each reason; zero
     *     where none waits
     * @param delayed how many keys are to be added later
     * @param next some of them, those that are due first
     */
    public record QueueView(Map<Reason, Integer> waiting, Duration oldestWait, int delayed, List<Delayed> next) {

        public QueueView {
            waiting = Map.copyOf(waiting);
            next = List.copyOf(next);
        }
    }

    /**
     * A key that is to be added later.
     *
     * <p>Immutable.
     *
     * @param due from now on; zero where it is due
     * @param failures in a row until now
     * @param error of the last of these; empty where it is not known
     */
    public record Delayed(ObjectKey key, Duration due, int failures, String error) {}

    /**
     * A reconcile that is under way.
     *
     * <p>Immutable.
     *
     * @param attempt 1, and one more for each failure in a row
     * @param worker the name of its thread; empty where it has none yet
     * @param waited how long the key was in the queue
     * @param longestBefore how long the longest took of those that are known of this primary; zero where none is
     * @param isOverdue whether it goes on although its time is up
     * @param trace of tracing; empty where it is not traced
     */
    public record InFlight(
            ObjectKey key,
            String reconcileId,
            int attempt,
            Cause cause,
            String worker,
            Instant begun,
            Duration waited,
            Duration longestBefore,
            boolean isOverdue,
            String trace) {}

    /**
     * A primary that is reconciled again and again.
     *
     * <p>Immutable.
     *
     * @param times how often
     * @param within from the first of these to the last
     * @param cause of the last one
     */
    public record Restless(ObjectKey key, int times, Duration within, Cause cause) {}
}
