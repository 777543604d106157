package io.busbar.admission;

/**
 * Refuses what must not be stored.
 *
 * <p>Called on an event loop: pure, no I/O; may read listers.
 */
public interface Validator<T> {

    /** Also asked about updates, of an object whose stored form does not fit the type. */
    Verdict create(T object, AdmissionRequest request);

    /** Not asked about metadata of what is being deleted. */
    Verdict update(T before, T after, AdmissionRequest request);

    default Verdict delete(T object, AdmissionRequest request) {
        return Verdict.ok();
    }
}
