package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.manifests.crd.Atomic;
import io.busbar.manifests.crd.ListMap;
import io.busbar.manifests.crd.Schemaless;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.Volume;
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
 * @param topologySpreadConstraints how evenly Pods are spread over nodes or zones; one without labelSelector is about
 *     the members of the cluster
 * @param priorityClassName which Pods are evicted before these, and which after
 * @param imagePullSecrets Secrets of the namespace with which images are pulled
 * @param containers sidecars of the server, whose own container is named mysql; as in a Pod
 * @param volumes for the sidecars, beside data and config, which are the server's; as in a Pod
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PodTemplate(
        Map<String, String> labels,
        Map<String, String> annotations,
        Map<String, String> nodeSelector,
        @Atomic List<Toleration> tolerations,
        @Nullable Affinity affinity,
        @Atomic List<TopologySpreadConstraint> topologySpreadConstraints,
        @Nullable String priorityClassName,
        @Atomic List<LocalObjectReference> imagePullSecrets,
        @ListMap(keys = "name") @Schemaless List<Container> containers,
        @ListMap(keys = "name") @Schemaless List<Volume> volumes) {

    static final PodTemplate NONE = new PodTemplate(
            Map.of(), Map.of(), Map.of(), List.of(), null, List.of(), null, List.of(), List.of(), List.of());

    public PodTemplate {
        labels = Present.map(labels);
        annotations = Present.map(annotations);
        nodeSelector = Present.map(nodeSelector);
        tolerations = Present.list(tolerations);
        topologySpreadConstraints = Present.list(topologySpreadConstraints);
        imagePullSecrets = Present.list(imagePullSecrets);
        containers = Present.list(containers);
        volumes = Present.list(volumes);
    }
}
