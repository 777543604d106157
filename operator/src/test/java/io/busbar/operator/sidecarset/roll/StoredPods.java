package io.busbar.operator.sidecarset.roll;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.operator.sidecarset.StoredObjects;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.pod.JsonPatch;
import io.busbar.operator.sidecarset.pod.ModelJson;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The Pods of an API server, which refuses a patch of another resourceVersion. It does not imitate: validation, defaulting, the
 * line between spec and status. Any thread.
 */
final class StoredPods implements PodWrites {

    /** The Pods that were patched, in order: {@code name} for the Pod, {@code name/status} for its status. */
    final List<String> patched = new ArrayList<>();

    /** What happens before the next requests, one each: to change a Pod behind the roll's back, or to fail. */
    final Deque<Consumer<Pod>> before = new ArrayDeque<>();

    private final StoredObjects<Pod> pods;
    private long version = 1_000;

    StoredPods(StoredObjects<Pod> pods) {
        this.pods = pods;
    }

    @Override
    public Optional<Pod> read(Pod pod) {
        return pods.get(ObjectKey.of(pod));
    }

    @Override
    public synchronized Pod patch(Pod pod, JsonPatch patch) {
        Pod written = apply(pod, patch);
        patched.add(pod.getMetadata().getName());
        return written;
    }

    @Override
    public synchronized Pod patchStatus(Pod pod, JsonPatch patch) {
        Pod written = apply(pod, patch);
        patched.add(pod.getMetadata().getName() + "/status");
        return written;
    }

    /** Replaces a Pod, as somebody else. */
    synchronized void store(Pod pod) {
        pod.getMetadata().setResourceVersion(String.valueOf(++version));
        pods.put(pod);
    }

    private Pod apply(Pod pod, JsonPatch patch) {
        if (!before.isEmpty()) {
            before.remove().accept(pod);
        }
        Pod current = read(pod).orElseThrow(() -> new KubernetesClientException("not found", 404, null));
        JsonNode result = io.fabric8.zjsonpatch.JsonPatch.apply(patch.operations(), ModelJson.object(current));
        if (!current.getMetadata()
                .getResourceVersion()
                .equals(result.at("/metadata/resourceVersion").asText())) {
            throw new KubernetesClientException("the object has been modified", 409, null);
        }
        ((ObjectNode) result.path("metadata")).put("resourceVersion", String.valueOf(++version));
        Pod written = Yaml.read(result.toString(), Pod.class);
        pods.put(written);
        return written;
    }
}
