package io.busbar.admission;

/**
 * Fills in what a user left out.
 *
 * <p>Called on an event loop: pure, idempotent, no I/O; may read listers.
 */
@FunctionalInterface
public interface Defaulter<T> {

    /**
     * @param object decoded for this call alone: change it in place, or return another
     * @return the object with its defaults
     */
    T withDefaults(T object, AdmissionRequest request);
}
