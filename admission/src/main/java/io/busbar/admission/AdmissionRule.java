package io.busbar.admission;

/**
 * Decides on admission requests: the form that the server calls. {@link Defaulter}s and {@link Validator}s are made
 * into one.
 *
 * <p>Called on an event loop, or on a worker if it {@linkplain #isLong says so}: pure, no I/O; may read listers.
 */
@FunctionalInterface
public interface AdmissionRule {

    AdmissionDecision review(AdmissionRequest request);

    /** Whether an answer may take longer than an event loop can wait, as the first conversion of a kind does. */
    default boolean isLong() {
        return false;
    }
}
