package io.busbar.reconciler;

import java.time.Duration;

/** Whether a primary that is being deleted may go. Immutable. */
public sealed interface CleanupResult {

    /** All is cleaned up: the engine removes the finalizer. */
    record Done() implements CleanupResult {}

    /** Not yet: look again after a time, or at a change. */
    record NotYet(Duration delay) implements CleanupResult {}

    static CleanupResult done() {
        return new Done();
    }

    static CleanupResult notYet(Duration delay) {
        return new NotYet(delay);
    }
}
