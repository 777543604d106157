package io.busbar.operator.sidecarset.roll;

import io.busbar.operator.sidecarset.pod.JsonPatch;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Optional;

/** Writes through the client, one request each. For the thread of one reconcile. */
record ClientPodWrites(KubernetesClient client) implements PodWrites {

    private static final PatchContext JSON = PatchContext.of(PatchType.JSON);

    @Override
    public Optional<Pod> read(Pod pod) {
        return Optional.ofNullable(resource(pod).get());
    }

    @Override
    public Pod patch(Pod pod, JsonPatch patch) {
        return resource(pod).patch(JSON, patch.toString());
    }

    @Override
    public Pod patchStatus(Pod pod, JsonPatch patch) {
        return resource(pod).subresource("status").patch(JSON, patch.toString());
    }

    /** Given the object itself, the client does not fetch it before it patches. */
    private PodResource resource(Pod pod) {
        return client.pods().resource(pod);
    }
}
