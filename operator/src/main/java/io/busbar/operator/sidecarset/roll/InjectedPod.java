package io.busbar.operator.sidecarset.roll;

import io.busbar.operator.sidecarset.pod.HashEntry;
import io.busbar.operator.sidecarset.pod.InjectedList;
import io.busbar.operator.sidecarset.pod.PodAnnotations;
import io.busbar.operator.sidecarset.pod.SetEntries;
import io.busbar.operator.sidecarset.pod.UpdateState;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far a Pod is with a set.
 *
 * <p>Immutable.
 *
 * @param updated whether it was injected with, or brought to, the set's present version
 * @param upgradable whether images are all that keeps it from that version
 * @param consistent whether the kubelet runs what the spec says, as far as the set's containers go
 * @param podReady whether it runs and is Ready, and no hot upgrade is under way
 * @param inFlight whether a container of the set runs well with what it is about to be replaced by: an update waits for
 *     its end
 */
record InjectedPod(
        Pod pod, boolean updated, boolean upgradable, boolean consistent, boolean podReady, boolean inFlight) {

    static InjectedPod of(Pod pod, Target target) {
        SetEntries hashes = annotation(pod, PodAnnotations.HASH);
        SetEntries withoutImage = annotation(pod, PodAnnotations.HASH_WITHOUT_IMAGE);
        return new InjectedPod(
                pod,
                HashEntry.hash(hashes, target.name())
                        .equals(Optional.of(target.version().hash())),
                HashEntry.hash(withoutImage, target.name())
                        .equals(Optional.of(target.version().hashWithoutImage())),
                consistent(pod, target, target.containers()),
                runsAndIsReady(pod) && target.hot().stream().allMatch(sidecar -> sidecar.settled(pod)),
                inFlight(pod, target));
    }

    /** Whether a set was injected into a Pod that is alive, with all the containers that the set has now. */
    static boolean carries(Pod pod, Target target) {
        return active(pod)
                && InjectedList.of(pod).names().contains(target.name())
                && pod.getSpec().getContainers().stream()
                        .map(Container::getName)
                        .toList()
                        .containsAll(target.containers());
    }

    /** Ready, and with what the spec says. */
    boolean ready() {
        return consistent && podReady;
    }

    static SetEntries annotation(Pod pod, String name) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return SetEntries.parseOrNone(annotations == null ? null : annotations.get(name));
    }

    private static boolean active(Pod pod) {
        String phase = phase(pod);
        return pod.getMetadata().getDeletionTimestamp() == null
                && !phase.equals("Succeeded")
                && !phase.equals("Failed");
    }

    static boolean runsAndIsReady(Pod pod) {
        return phase(pod).equals("Running")
                && condition(pod, "Ready")
                        .filter(ready -> "True".equals(ready.getStatus()))
                        .isPresent();
    }

    static Optional<PodCondition> condition(Pod pod, String type) {
        return pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getConditions().stream()
                        .filter(condition -> type.equals(condition.getType()))
                        .findFirst();
    }

    static String phase(Pod pod) {
        return pod.getStatus() == null || pod.getStatus().getPhase() == null
                ? ""
                : pod.getStatus().getPhase();
    }

    static List<ContainerStatus> statuses(Pod pod) {
        return pod.getStatus() == null ? List.of() : pod.getStatus().getContainerStatuses();
    }

    /** Whether a container is ready with the image that it should have. */
    static boolean runsWell(Pod pod, String container, Target target) {
        return isReady(pod, container) && consistent(pod, target, Set.of(container));
    }

    private static boolean inFlight(Pod pod, Target target) {
        return target.containers().stream()
                .anyMatch(container -> isReady(pod, container) && !consistent(pod, target, Set.of(container)));
    }

    private static boolean isReady(Pod pod, String container) {
        return statuses(pod).stream()
                .anyMatch(status -> container.equals(status.getName()) && Boolean.TRUE.equals(status.getReady()));
    }

    /** Whether the kubelet runs what the spec says in some of the set's containers. */
    static boolean consistent(Pod pod, Target target, Set<String> names) {
        List<Container> containers = pod.getSpec().getContainers();
        if (containers.size() != statuses(pod).size()) {
            return false;
        }
        Map<String, ContainerStatus> statuses = new HashMap<>();
        statuses(pod).forEach(status -> statuses.put(status.getName(), status));
        Map<String, String> lastImageIds =
                UpdateState.lastImageIds(annotation(pod, PodAnnotations.UPDATE_STATE), target.name());
        return containers.stream()
                .filter(container -> names.contains(container.getName()))
                .allMatch(container ->
                        runs(container, statuses.get(container.getName()), lastImageIds.get(container.getName())));
    }

    /**
     * A digest is held against what runs. A tag says nothing of what runs: there the kubelet has not caught up as long
     * as it still reports the image that ran before, by its ID and its name.
     */
    private static boolean runs(Container container, @Nullable ContainerStatus status, @Nullable String lastImageId) {
        if (status == null) {
            return false;
        }
        String running = status.getImageID() == null ? "" : status.getImageID();
        int digest = container.getImage().indexOf('@');
        if (digest >= 0) {
            return running.contains(container.getImage().substring(digest + 1));
        }
        return !running.equals(lastImageId) || container.getImage().equals(status.getImage());
    }
}
