package io.busbar.admission;

/**
 * Refuses what must not be stored.
 *
 * <p>Called on an event loop: pure, no I/O; may read listers.
 */
public interface Validator<T> {

    Verdict create(T object, AdmissionRequest request);

    Verdict update(T before, T after, AdmissionRequest request);

    default Verdict delete(T object, AdmissionRequest request) {
        return Verdict.ok();
    }
}
