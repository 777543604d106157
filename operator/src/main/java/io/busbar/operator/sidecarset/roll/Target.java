package io.busbar.operator.sidecarset.roll;

import io.busbar.operator.sidecarset.matching.CompiledSelector;
import io.busbar.operator.sidecarset.matching.SidecarSetMatching;
import io.busbar.operator.sidecarset.pod.SetVersion;
import io.busbar.operator.sidecarset.v1beta1.PodMetadataPatch;
import io.busbar.operator.sidecarset.v1beta1.ScatterTerm;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import io.busbar.operator.sidecarset.v1beta1.UpdateStrategy;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a set wants its Pods to be, and how it wants them to get there, made ready for one reconcile.
 *
 * <p>Immutable.
 *
 * @param setVersion resourceVersion of the set, which tells hot upgrades apart
 * @param images that the set's containers are to have, by container, but for those that are upgraded hot
 * @param hot containers that are upgraded hot
 * @param metadataPatches annotations that a Pod gets together with the images
 * @param rolls whether Pods are to be brought to this version at all, now
 * @param rolledOutTo only Pods that it matches; null for all
 * @param partition how many Pods stay as they are
 * @param order which Pod goes first
 * @param scatter what is spread over the update
 */
record Target(
        SetVersion version,
        String setVersion,
        SidecarSetMatching matching,
        Map<String, String> images,
        List<HotSidecar> hot,
        List<PodMetadataPatch> metadataPatches,
        boolean rolls,
        @Nullable CompiledSelector rolledOutTo,
        Share partition,
        Share maxUnavailable,
        Comparator<InjectedPod> order,
        List<ScatterTerm> scatter) {

    private static final UpdateStrategy STANDARD =
            new UpdateStrategy(UpdateStrategy.ROLLING_UPDATE, null, null, null, null, null, List.of());

    /**
     * @throws IllegalArgumentException when the set is not valid
     */
    static Target of(SidecarSet set, String latestRevision) {
        SidecarSetSpec spec = set.getSpec();
        UpdateStrategy strategy = spec.updateStrategy() == null ? STANDARD : spec.updateStrategy();
        return new Target(
                SetVersion.of(set, latestRevision),
                String.valueOf(set.getMetadata().getResourceVersion()),
                SidecarSetMatching.of(spec),
                images(spec),
                spec.containers().stream()
                        .filter(SidecarContainer::upgradesHot)
                        .map(HotSidecar::of)
                        .toList(),
                spec.patchPodMetadata(),
                !UpdateStrategy.NOT_UPDATE.equals(strategy.type()) && !Boolean.TRUE.equals(strategy.paused()),
                strategy.selector() == null ? null : CompiledSelector.of(strategy.selector()),
                share(strategy.partition(), 0),
                share(strategy.maxUnavailable(), 1),
                UpgradeOrder.of(strategy),
                strategy.scatterStrategy());
    }

    String name() {
        return version.name();
    }

    /** Names of all containers that the set has in a Pod. */
    Set<String> containers() {
        Set<String> names = new HashSet<>(images.keySet());
        hot.forEach(sidecar -> names.addAll(sidecar.slots().both()));
        return names;
    }

    /** Whether the strategy's selector lets a Pod be brought to this version. */
    boolean rollsOutTo(Pod pod) {
        return rolledOutTo == null || rolledOutTo.matches(pod.getMetadata().getLabels());
    }

    /** Whether the set's selectors match a Pod. */
    boolean matches(Pod pod, Optional<Namespace> namespace) {
        return matching.matches(
                pod.getMetadata().getLabels(),
                pod.getMetadata().getNamespace(),
                namespace.map(known -> known.getMetadata().getLabels()).orElse(null));
    }

    private static Map<String, String> images(SidecarSetSpec spec) {
        Map<String, String> images = new LinkedHashMap<>();
        spec.containers().stream()
                .filter(container -> !container.upgradesHot())
                .forEach(container -> images.put(container.getName(), container.getImage()));
        return Collections.unmodifiableMap(images);
    }

    private static Share share(@Nullable IntOrString given, int otherwise) {
        return given == null ? new Share(otherwise, false) : Share.of(given);
    }
}
