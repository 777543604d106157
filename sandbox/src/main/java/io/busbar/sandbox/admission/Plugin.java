package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.StatusException;

/**
 * A part of the API server's own that has a say in writes beside webhooks and policies, as its admission plugins have.
 *
 * <p>One context: the server's. Nobody is asked about deletions. Both methods refuse by a {@link StatusException}.
 */
public interface Plugin {

    /** @param object decoded, not shared: changed in place. Called again when a webhook has changed it */
    default void mutate(AdmissionAttributes attributes, ObjectNode object) {}

    /** @param object as it will be stored */
    default void validate(AdmissionAttributes attributes, ObjectNode object) {}
}
