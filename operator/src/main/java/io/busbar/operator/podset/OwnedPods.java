package io.busbar.operator.podset;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The Pods that a set controls, by what is to become of them. Those that are being deleted, or whose node has not been
 * heard of for long, are in neither list.
 *
 * <p>Immutable.
 *
 * @param active those that count: Pending or Running
 * @param ended Failed and Succeeded ones, which are replaced
 */
record OwnedPods(List<Pod> active, List<Pod> ended) {

    private static final Set<String> ACTIVE = Set.of("Pending", "Running");
    private static final Set<String> ENDED = Set.of("Failed", "Succeeded");

    static OwnedPods of(Collection<Pod> controlled) {
        return new OwnedPods(in(ACTIVE, controlled), in(ENDED, controlled));
    }

    private static List<Pod> in(Set<String> phases, Collection<Pod> pods) {
        return pods.stream()
                .filter(pod -> !pod.isMarkedForDeletion())
                .filter(pod -> phases.contains(phase(pod)))
                .toList();
    }

    private static String phase(Pod pod) {
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return phase == null ? "Pending" : phase;
    }

    int count() {
        return active.size();
    }

    int ready() {
        return (int) active.stream().filter(Readiness::isPodReady).count();
    }

    /** Of the active ones, sorted. */
    List<String> names() {
        return active.stream().map(pod -> pod.getMetadata().getName()).sorted().toList();
    }
}
