package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.manifests.crd.Atomic;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the Pods of a cluster get beside what they cannot do without.
 *
 * <p>Immutable, but for the fabric8 models within; lists and maps are never null.
 *
 * @param labels labels of each Pod
 * @param annotations annotations of each Pod
 * @param nodeSelector labels of the nodes that Pods may run on
 * @param tolerations taints of nodes that Pods bear
 * @param affinity which nodes and neighbours the Pods want
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PodTemplate(
        Map<String, String> labels,
        Map<String, String> annotations,
        Map<String, String> nodeSelector,
        @Atomic List<Toleration> tolerations,
        @Nullable Affinity affinity) {

    static final PodTemplate NONE = new PodTemplate(Map.of(), Map.of(), Map.of(), List.of(), null);

    public PodTemplate {
        labels = Present.map(labels);
        annotations = Present.map(annotations);
        nodeSelector = Present.map(nodeSelector);
        tolerations = Present.list(tolerations);
    }
}
