package io.busbar.reconciler;

import java.time.Duration;

/** What is to happen after a reconcile that did not fail. Immutable. */
public sealed interface ReconcileResult {

    /** Nothing until something changes. */
    record AwaitChange() implements ReconcileResult {}

    /** Again soon, rate-limited as a failure is. */
    record Requeue() implements ReconcileResult {}

    /** Again after a time; a change comes sooner. */
    record RequeueAfter(Duration delay) implements ReconcileResult {
        public RequeueAfter {
            if (delay.isNegative() || delay.isZero()) {
                throw new IllegalArgumentException("not a delay to requeue after: " + delay);
            }
        }
    }

    static ReconcileResult awaitChange() {
        return new AwaitChange();
    }

    static ReconcileResult requeue() {
        return new Requeue();
    }

    static ReconcileResult requeueAfter(Duration delay) {
        return new RequeueAfter(delay);
    }
}
