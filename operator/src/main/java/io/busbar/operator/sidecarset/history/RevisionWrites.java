package io.busbar.operator.sidecarset.history;

import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.util.Optional;

/**
 * What the history asks of the API server.
 *
 * <p>For the thread of one reconcile; throws {@link io.fabric8.kubernetes.client.KubernetesClientException}.
 */
interface RevisionWrites {

    Optional<ControllerRevision> read(ControllerRevision revision);

    ControllerRevision create(ControllerRevision revision);

    /** Gives a revision another number. */
    ControllerRevision renumber(ControllerRevision revision, long number);

    ControllerRevision label(ControllerRevision revision, String label, String value);

    void delete(ControllerRevision revision);
}
