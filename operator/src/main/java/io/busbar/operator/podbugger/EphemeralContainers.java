package io.busbar.operator.podbugger;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The subresource of Pods that takes containers while they run, in the shape that the API server serves: a Pod since
 * Kubernetes 1.23, an object of its own before, behind a feature gate.
 *
 * <p>Any thread; blocks. Both shapes are patched by the container's name: one request, which changes nothing where the
 * container is there already, and cannot be in conflict with what others add.
 */
final class EphemeralContainers {

    private static final PatchContext BY_NAME = PatchContext.of(PatchType.STRATEGIC_MERGE);
    private static final String RESOURCE = "pods/ephemeralcontainers";

    private volatile @Nullable String kind;

    /** Whether the API server has it at all: an old one may not. */
    boolean served(KubernetesClient client) {
        return kind(client).isPresent();
    }

    /**
     * Adds a container.
     *
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    void add(KubernetesClient client, Pod pod, EphemeralContainer container) {
        String patch =
                client.getKubernetesSerialization().asJson(body(kind(client).orElseThrow(), container));
        client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .ephemeralContainers()
                .patch(BY_NAME, patch);
    }

    static Map<String, Object> body(String kind, EphemeralContainer container) {
        Map<String, Object> list = Map.of("ephemeralContainers", List.of(container));
        return kind.equals("Pod") ? Map.of("spec", list) : list;
    }

    /**
     * Asked for once: an API server that is upgraded serves the old shape no longer, and refuses; see {@link #forget}.
     */
    private Optional<String> kind(KubernetesClient client) {
        String known = kind;
        if (known != null) {
            return Optional.of(known);
        }
        APIResourceList core = client.getApiResources("v1");
        Optional<String> found = core == null
                ? Optional.empty()
                : core.getResources().stream()
                        .filter(resource -> resource.getName().equals(RESOURCE))
                        .map(APIResource::getKind)
                        .findFirst();
        found.ifPresent(shape -> kind = shape);
        return found;
    }

    /** Asks again the next time: the API server may be another one by now. */
    void forget() {
        kind = null;
    }
}
