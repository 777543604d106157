package io.busbar.operator.sidecarset.roll;

import io.busbar.operator.sidecarset.pod.JsonPatch;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/**
 * What a roll asks of the API server.
 *
 * <p>For the thread of one reconcile; throws {@link io.fabric8.kubernetes.client.KubernetesClientException}.
 */
interface PodWrites {

    /** The Pod as it is now, from the API server. */
    Optional<Pod> read(Pod pod);

    Pod patch(Pod pod, JsonPatch patch);

    /** Patches the status subresource. */
    Pod patchStatus(Pod pod, JsonPatch patch);
}
