package io.busbar.operator.podbugger;

import io.fabric8.kubernetes.api.model.EphemeralContainer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.List;
import java.util.Set;

/**
 * The Pods that a tool is for: those that have not ended and are not being deleted.
 *
 * <p>Immutable.
 *
 * @param container by name, what each is to have
 */
record MatchingPods(List<Pod> all, String container) {

    private static final Set<String> ENDED = Set.of("Failed", "Succeeded");

    static MatchingPods of(List<Pod> labelled, String container) {
        return new MatchingPods(labelled.stream().filter(MatchingPods::lives).toList(), container);
    }

    int count() {
        return all.size();
    }

    int installed() {
        return (int) all.stream().filter(this::has).count();
    }

    /** Those that are ready and lack it. */
    List<Pod> due() {
        return all.stream().filter(pod -> !has(pod) && isReady(pod)).toList();
    }

    private boolean has(Pod pod) {
        return containers(pod).contains(container);
    }

    static List<String> containers(Pod pod) {
        return pod.getSpec() == null
                ? List.of()
                : pod.getSpec().getEphemeralContainers().stream()
                        .map(EphemeralContainer::getName)
                        .toList();
    }

    static boolean isReady(Pod pod) {
        return pod.getStatus() != null && Readiness.isPodReady(pod);
    }

    private static boolean lives(Pod pod) {
        return !pod.isMarkedForDeletion()
                && (pod.getStatus() == null
                        || !ENDED.contains(String.valueOf(pod.getStatus().getPhase())));
    }
}
