package io.busbar.manifests.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMapKeySelector;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import io.fabric8.kubernetes.api.model.HostAlias;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.ObjectFieldSelector;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.ResourceClaim;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import io.fabric8.kubernetes.api.model.SecretReference;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TypedLocalObjectReference;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeDevice;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How server-side apply merges Kubernetes' own types, which the client's models do not say.
 *
 * <p>Immutable. Source: {@code x-kubernetes-list-map-keys} and {@code x-kubernetes-map-type} in the API server's
 * OpenAPI document.
 */
final class CoreTypes {

    /** What tells the items of a list apart, by the type of an item. */
    private static final Map<Class<?>, List<String>> KEYS = Map.ofEntries(
            Map.entry(Condition.class, List.of("type")),
            Map.entry(Container.class, List.of("name")),
            Map.entry(ContainerPort.class, List.of("containerPort", "protocol")),
            Map.entry(EnvVar.class, List.of("name")),
            Map.entry(EphemeralContainer.class, List.of("name")),
            Map.entry(HostAlias.class, List.of("ip")),
            Map.entry(LocalObjectReference.class, List.of("name")),
            Map.entry(PodResourceClaim.class, List.of("name")),
            Map.entry(PodSchedulingGate.class, List.of("name")),
            Map.entry(ResourceClaim.class, List.of("name")),
            Map.entry(ServicePort.class, List.of("port", "protocol")),
            Map.entry(TopologySpreadConstraint.class, List.of("topologyKey", "whenUnsatisfiable")),
            Map.entry(Volume.class, List.of("name")),
            Map.entry(VolumeDevice.class, List.of("devicePath")),
            Map.entry(VolumeMount.class, List.of("mountPath")));

    /** Have one owner as a whole. */
    private static final Set<Class<?>> ATOMIC = Set.of(
            ConfigMapKeySelector.class,
            LabelSelector.class,
            LocalObjectReference.class,
            NodeSelector.class,
            NodeSelectorTerm.class,
            ObjectFieldSelector.class,
            ObjectReference.class,
            ResourceFieldSelector.class,
            SecretKeySelector.class,
            SecretReference.class,
            TypedLocalObjectReference.class);

    private static final Set<Class<?>> WITH_PROTOCOL = Set.of(ContainerPort.class, ServicePort.class);

    private CoreTypes() {}

    /** The keys of a list of these, also of a type of one's own that extends one of Kubernetes'. */
    static Optional<List<String>> listKeys(Class<?> item) {
        for (Class<?> type = item; type != null; type = type.getSuperclass()) {
            List<String> keys = KEYS.get(type);
            if (keys != null) {
                return Optional.of(keys);
            }
        }
        return Optional.empty();
    }

    static boolean isAtomic(Class<?> type) {
        return ATOMIC.contains(type);
    }

    /** The default of a field that keys a list, which the API server needs to merge an item that leaves it out. */
    static Optional<JsonNode> keyDefault(Class<?> item, String key) {
        return WITH_PROTOCOL.contains(item) && key.equals("protocol")
                ? Optional.of(TextNode.valueOf("TCP"))
                : Optional.empty();
    }

    /** Whether the type is the client's model of one of Kubernetes' own, or a part of it. */
    static boolean isModel(Class<?> type) {
        return type.getPackageName().startsWith("io.fabric8.kubernetes.api.model");
    }
}
