package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.operator.sidecarset.matching.SidecarSetMatching;
import io.busbar.operator.sidecarset.pod.ModelJson;
import io.busbar.operator.sidecarset.pod.SetVersion;
import io.busbar.operator.sidecarset.v1alpha1.InjectionStrategy;
import io.busbar.operator.sidecarset.v1alpha1.PodMetadataPatch;
import io.busbar.operator.sidecarset.v1alpha1.SidecarContainer;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSet;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSetSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A set made ready for injection, once for all Pods.
 *
 * <p>Immutable: its nodes are shared by all Pods, and never changed.
 *
 * @param matching which Pods it is for
 * @param requiredLabel what it is filed under; empty where its selector requires none
 */
record CompiledSidecarSet(
        SetVersion version,
        SidecarSetMatching matching,
        Optional<RequiredLabel> requiredLabel,
        List<Sidecar> initContainers,
        List<Sidecar> containers,
        List<JsonNode> pullSecrets,
        List<PodMetadataPatch> metadataPatches) {

    CompiledSidecarSet {
        initContainers = List.copyOf(initContainers);
        containers = List.copyOf(containers);
        pullSecrets = List.copyOf(pullSecrets);
        metadataPatches = List.copyOf(metadataPatches);
    }

    /** Empty for a set that injects nothing: paused, deleted or without a selector. */
    static Optional<CompiledSidecarSet> compile(SidecarSet set) {
        SidecarSetSpec spec = set.getSpec();
        if (spec == null || spec.selector() == null || paused(spec)) {
            return Optional.empty();
        }
        Map<String, JsonNode> volumes = new HashMap<>();
        spec.volumes().forEach(volume -> volumes.put(volume.getName(), ModelJson.object(volume)));
        return Optional.of(new CompiledSidecarSet(
                SetVersion.of(set),
                SidecarSetMatching.of(spec),
                RequiredLabel.of(spec.selector()),
                sidecars(spec.initContainers(), true, volumes),
                sidecars(spec.containers(), false, volumes),
                spec.imagePullSecrets().stream().map(ModelJson::of).toList(),
                spec.patchPodMetadata()));
    }

    String name() {
        return version.name();
    }

    private static boolean paused(SidecarSetSpec spec) {
        InjectionStrategy strategy = spec.injectionStrategy();
        return strategy != null && Boolean.TRUE.equals(strategy.paused());
    }

    private static List<Sidecar> sidecars(
            List<SidecarContainer> items, boolean behindByDefault, Map<String, JsonNode> volumes) {
        return items.stream()
                .map(item -> Sidecar.compile(item, behindByDefault, volumes))
                .toList();
    }
}
