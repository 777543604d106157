package io.busbar.operator.sidecarset.roll;

import io.busbar.operator.sidecarset.pod.HotSlots;
import io.busbar.operator.sidecarset.pod.PodAnnotations;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All of a Pod that a count or a batch can depend on: two states of a Pod with equal facts need no reconcile in
 * between.
 *
 * <p>Immutable.
 */
record PodFacts(
        @Nullable Map<String, String> labels,
        Map<String, String> annotations,
        @Nullable String deletionTimestamp,
        String phase,
        @Nullable String ready,
        List<Image> wanted,
        List<Image> running) {

    /** How the names of the annotations begin that a roll reads. */
    static final List<String> ANNOTATION_PREFIXES = List.of(PodAnnotations.PREFIX, HotSlots.VERSION_PREFIX);

    /** Of one container; ID and readiness only where it runs. */
    record Image(
            String container,
            @Nullable String image,
            @Nullable String id,
            @Nullable Boolean ready) {}

    static PodFacts of(Pod pod) {
        return new PodFacts(
                pod.getMetadata().getLabels(),
                annotations(pod),
                pod.getMetadata().getDeletionTimestamp(),
                InjectedPod.phase(pod),
                InjectedPod.condition(pod, "Ready")
                        .map(condition -> condition.getStatus())
                        .orElse(null),
                pod.getSpec().getContainers().stream().map(PodFacts::image).toList(),
                InjectedPod.statuses(pod).stream()
                        .map(status ->
                                new Image(status.getName(), status.getImage(), status.getImageID(), status.getReady()))
                        .toList());
    }

    /** Without those of others, which are there where a watch is shared. */
    private static Map<String, String> annotations(Pod pod) {
        Map<String, String> all = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
        return all.entrySet().stream()
                .filter(entry -> ANNOTATION_PREFIXES.stream().anyMatch(entry.getKey()::startsWith))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static Image image(Container container) {
        return new Image(container.getName(), container.getImage(), null, null);
    }
}
