package io.busbar.reconciler.dependent;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Which of several equal Pods is missed least: not yet on a node, before Pending, before not ready, before ready for
 * the shorter time, before restarted more often, before the newer one.
 *
 * <p>Pure; any thread. Source: kube-controller-manager's ActivePods.
 */
public final class DeletionOrder {

    private static final List<String> PHASES = List.of("Pending", "Unknown", "Running");

    private static final Comparator<Pod> FIRST_TO_GO = Comparator.comparing(DeletionOrder::onNode)
            .thenComparing(pod -> PHASES.indexOf(phase(pod)))
            .thenComparing(DeletionOrder::ready)
            .thenComparing(DeletionOrder::readySince, Comparator.reverseOrder())
            .thenComparing(DeletionOrder::restarts, Comparator.reverseOrder())
            .thenComparing(DeletionOrder::createdAt, Comparator.reverseOrder())
            .thenComparing(pod -> pod.getMetadata().getName());

    private DeletionOrder() {}

    /** So many of the Pods, those to delete. */
    public static List<Pod> first(int count, Collection<Pod> pods) {
        return pods.stream().sorted(FIRST_TO_GO).limit(count).toList();
    }

    private static boolean onNode(Pod pod) {
        String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
        return node != null && !node.isEmpty();
    }

    private static String phase(Pod pod) {
        return pod.getStatus() == null
                ? "Pending"
                : Objects.requireNonNullElse(pod.getStatus().getPhase(), "Pending");
    }

    private static boolean ready(Pod pod) {
        return pod.getStatus() != null && Readiness.isPodReady(pod);
    }

    /** Times of the API are written so that they sort as text; empty when not ready. */
    private static String readySince(Pod pod) {
        return pod.getStatus() == null
                ? ""
                : pod.getStatus().getConditions().stream()
                        .filter(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"))
                        .map(PodCondition::getLastTransitionTime)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse("");
    }

    private static int restarts(Pod pod) {
        return pod.getStatus() == null
                ? 0
                : pod.getStatus().getContainerStatuses().stream()
                        .mapToInt(status -> Objects.requireNonNullElse(status.getRestartCount(), 0))
                        .max()
                        .orElse(0);
    }

    private static String createdAt(Pod pod) {
        return Objects.requireNonNullElse(pod.getMetadata().getCreationTimestamp(), "");
    }
}
