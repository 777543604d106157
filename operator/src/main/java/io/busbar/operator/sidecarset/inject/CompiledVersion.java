package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.operator.sidecarset.pod.HotSlots;
import io.busbar.operator.sidecarset.pod.ModelJson;
import io.busbar.operator.sidecarset.pod.SetVersion;
import io.busbar.operator.sidecarset.v1beta1.PodMetadataPatch;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import io.busbar.operator.sidecarset.v1beta1.UpgradeStrategy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A version of a set made ready for injection, once for all Pods.
 *
 * <p>Immutable: its nodes are shared by all Pods, and never changed.
 *
 * @param hotSlots of the containers that are there twice
 */
record CompiledVersion(
        SetVersion version,
        List<Sidecar> initContainers,
        List<Sidecar> containers,
        List<HotSlots> hotSlots,
        List<JsonNode> pullSecrets,
        List<PodMetadataPatch> metadataPatches) {

    CompiledVersion {
        initContainers = List.copyOf(initContainers);
        containers = List.copyOf(containers);
        hotSlots = List.copyOf(hotSlots);
        pullSecrets = List.copyOf(pullSecrets);
        metadataPatches = List.copyOf(metadataPatches);
    }

    /**
     * @param set as it is in that version
     * @throws IllegalArgumentException when the set is not valid
     */
    static CompiledVersion compile(SidecarSet set, SetVersion version) {
        SidecarSetSpec spec = set.getSpec();
        Map<String, JsonNode> volumes = new HashMap<>();
        spec.volumes().forEach(volume -> volumes.put(volume.getName(), ModelJson.object(volume)));
        return new CompiledVersion(
                version,
                spec.initContainers().stream()
                        .map(item -> Sidecar.compile(version.name(), item, true, volumes))
                        .toList(),
                spec.containers().stream()
                        .flatMap(item -> slots(Sidecar.compile(version.name(), item, false, volumes), item))
                        .toList(),
                spec.containers().stream()
                        .filter(SidecarContainer::upgradesHot)
                        .map(item -> new HotSlots(item.getName()))
                        .toList(),
                spec.imagePullSecrets().stream().map(ModelJson::of).toList(),
                spec.patchPodMetadata());
    }

    String name() {
        return version.name();
    }

    /** A hot upgrade has the sidecar in the first slot, and the empty image in the second. */
    private static Stream<Sidecar> slots(Sidecar sidecar, SidecarContainer item) {
        UpgradeStrategy strategy = item.getUpgradeStrategy();
        if (strategy == null || !item.upgradesHot()) {
            return Stream.of(sidecar);
        }
        HotSlots slots = new HotSlots(item.getName());
        return Stream.of(
                sidecar.inSlot(slots.first(), item.getImage()),
                sidecar.inSlot(slots.second(), String.valueOf(strategy.hotUpgradeEmptyImage())));
    }
}
