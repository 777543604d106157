package io.busbar.admission;

/**
 * Decides on admission requests: the form that the server calls. {@link Defaulter}s and {@link Validator}s are made into one.
 *
 * <p>Called on an event loop: pure, no I/O; may read listers.
 */
@FunctionalInterface
public interface AdmissionRule {

    AdmissionDecision review(AdmissionRequest request);
}
