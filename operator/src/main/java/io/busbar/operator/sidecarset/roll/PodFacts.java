package io.busbar.operator.sidecarset.roll;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All of a Pod that a count or a batch can depend on: two states of a Pod with equal facts need no reconcile in between.
 *
 * <p>Immutable.
 */
record PodFacts(
        @Nullable Map<String, String> labels,
        @Nullable Map<String, String> annotations,
        @Nullable String deletionTimestamp,
        String phase,
        @Nullable String ready,
        List<Image> wanted,
        List<Image> running) {

    /** Of one container; ID and readiness only where it runs. */
    record Image(
            String container,
            @Nullable String image,
            @Nullable String id,
            @Nullable Boolean ready) {}

    static PodFacts of(Pod pod) {
        return new PodFacts(
                pod.getMetadata().getLabels(),
                pod.getMetadata().getAnnotations(),
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

    private static Image image(Container container) {
        return new Image(container.getName(), container.getImage(), null, null);
    }
}
