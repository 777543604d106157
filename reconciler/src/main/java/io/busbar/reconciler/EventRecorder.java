package io.busbar.reconciler;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Tells people what happened to an object, as Events of {@code events.k8s.io/v1}.
 *
 * <p>Any thread; returns at once. Equal Events of a while are one Event with a series. A failure to write is logged,
 * never thrown.
 */
public interface EventRecorder {

    /**
     * @param reason CamelCase, for machines
     * @param action what was done or tried, CamelCase
     * @param note for people; cut at 1 kB
     */
    void normal(HasMetadata regarding, String reason, String action, String note);

    /** The same for what needs attention. */
    void warning(HasMetadata regarding, String reason, String action, String note);
}
