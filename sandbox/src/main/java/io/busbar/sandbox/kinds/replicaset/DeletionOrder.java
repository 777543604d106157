package io.busbar.sandbox.kinds.replicaset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.storage.Conditions;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which Pods are given up first: those without a node, not running, not ready, cheap by annotation, crowded on a node,
 * ready or made last, restarted most.
 *
 * <p>From {@code ActivePodsWithRanks} of kube-controller-manager. Any thread.
 */
public final class DeletionOrder {

    private static final String COST = "controller.kubernetes.io/pod-deletion-cost";
    private static final List<String> PHASES = List.of("Pending", "Unknown", "Running");

    private DeletionOrder() {}

    /** @param pods all of those that count for the crowd on a node */
    public static Comparator<ObjectNode> among(Collection<ObjectNode> pods) {
        Map<String, Long> crowd = pods.stream().collect(Collectors.groupingBy(Pods::node, Collectors.counting()));
        return Comparator.<ObjectNode, Boolean>comparing(pod -> !Pods.node(pod).isEmpty())
                .thenComparing(pod -> PHASES.indexOf(Pods.phase(pod)))
                .thenComparing(Pods::isReady)
                .thenComparing(DeletionOrder::cost)
                .thenComparing(pod -> -crowd.getOrDefault(Pods.node(pod), 0L))
                .thenComparing(readySince().reversed())
                .thenComparing(pod -> -restarts(pod))
                .thenComparing(Pods.byAge().reversed());
    }

    private static Comparator<ObjectNode> readySince() {
        Function<ObjectNode, String> since = pod -> Conditions.find(pod.path("status"), "Ready")
                .path("lastTransitionTime")
                .asText();
        return Comparator.comparing(since);
    }

    private static int cost(ObjectNode pod) {
        String cost = pod.path("metadata").path("annotations").path(COST).asText();
        return cost.matches("0|-?[1-9][0-9]{0,8}") ? Integer.parseInt(cost) : 0;
    }

    private static int restarts(ObjectNode pod) {
        int most = 0;
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            most = Math.max(most, container.path("restartCount").asInt());
        }
        return most;
    }
}
