package io.busbar.common.bus;

import java.time.Duration;

/**
 * How a reconcile ended, as the controller must know it.
 *
 * <p>Immutable.
 *
 * @param delay to wait before the next reconcile; zero but for {@link Kind#REQUEUE_AFTER} and {@link Kind#CONFLICT}
 * @param error for people; empty unless failed
 */
public record ReconcileOutcome(Kind kind, Duration delay, String error) {

    public enum Kind {
        /** Done until something changes. */
        AWAIT_CHANGE,
        /** Again soon, rate-limited. */
        REQUEUE,
        /** Again after {@link ReconcileOutcome#delay()}. */
        REQUEUE_AFTER,
        /**
         * Somebody else has changed the primary first: again when that is seen, or after
         * {@link ReconcileOutcome#delay()}. No failure.
         */
        CONFLICT,
        /** Failed: again, rate-limited. */
        FAILED,
        /** Failed, and trying again is no use before something changes. */
        TERMINALLY_FAILED
    }

    public static ReconcileOutcome awaitChange() {
        return new ReconcileOutcome(Kind.AWAIT_CHANGE, Duration.ZERO, "");
    }

    public static ReconcileOutcome requeue() {
        return new ReconcileOutcome(Kind.REQUEUE, Duration.ZERO, "");
    }

    public static ReconcileOutcome requeueAfter(Duration delay) {
        return new ReconcileOutcome(Kind.REQUEUE_AFTER, delay, "");
    }

    /** @param atLatest when to try again if the newer primary has not been seen by then */
    public static ReconcileOutcome conflict(Duration atLatest) {
        return new ReconcileOutcome(Kind.CONFLICT, atLatest, "");
    }

    public static ReconcileOutcome failed(String error) {
        return new ReconcileOutcome(Kind.FAILED, Duration.ZERO, error);
    }

    public static ReconcileOutcome terminallyFailed(String error) {
        return new ReconcileOutcome(Kind.TERMINALLY_FAILED, Duration.ZERO, error);
    }
}
