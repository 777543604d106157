package io.busbar.sandbox.kinds.daemonset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.IntOrPercent;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.kubelet.NodeFit;
import io.busbar.sandbox.storage.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which nodes lack a Pod, and which Pods are too many or of an old template.
 *
 * <p>Immutable; a pure function of what is there. From {@code daemon_controller.go} and {@code update.go} of
 * kube-controller-manager.
 */
final class DaemonPlan {

    private final JsonNode spec;
    private final ObjectNode podSpec;
    private final Map<String, ObjectNode> nodes = new LinkedHashMap<>();
    private final Map<String, List<ObjectNode>> byNode = new LinkedHashMap<>();
    private final Instant now;

    DaemonPlan(ObjectNode set, Collection<ObjectNode> nodes, Collection<ObjectNode> pods, Instant now) {
        this.spec = set.path("spec");
        this.podSpec = spec.path("template").path("spec").deepCopy();
        this.now = now;
        DaemonPods.tolerate(podSpec);
        nodes.forEach(node -> this.nodes.put(Metadata.of(node).name(), node));
        pods.stream()
                .sorted(Pods.byAge())
                .forEach(pod -> byNode.computeIfAbsent(DaemonPods.node(pod), absent -> new ArrayList<>())
                        .add(pod));
    }

    boolean isMeant(String node) {
        NodeFit fit = fit(node);
        return fit.selects() && fit.admits();
    }

    private NodeFit fit(String node) {
        return new NodeFit(podSpec, nodes.getOrDefault(node, podSpec));
    }

    List<String> meant() {
        return nodes.keySet().stream().filter(this::isMeant).toList();
    }

    List<String> nodes() {
        return List.copyOf(nodes.keySet());
    }

    List<ObjectNode> on(String node) {
        return byNode.getOrDefault(node, List.of());
    }

    List<String> lacking() {
        return meant().stream().filter(node -> on(node).isEmpty()).toList();
    }

    /** Pods on nodes that they must leave, that failed, or that are not alone; the oldest stays. */
    List<ObjectNode> superfluous() {
        List<ObjectNode> superfluous = new ArrayList<>();
        byNode.forEach((node, pods) -> {
            boolean stays =
                    nodes.containsKey(node) && fit(node).selects() && fit(node).keeps();
            boolean alone = true;
            for (ObjectNode pod : pods) {
                if (Pods.isDeleting(pod)) {
                    continue;
                }
                if (!stays || Pods.isEnded(pod) || !alone) {
                    superfluous.add(pod);
                } else {
                    alone = false;
                }
            }
        });
        return superfluous;
    }

    /** Pods of an old template that go now: those that serve nobody, then as many as may be missing. */
    List<ObjectNode> outdated(String revision) {
        if (spec.path("updateStrategy").path("type").asText().equals("OnDelete")) {
            return List.of();
        }
        List<String> meant = meant();
        JsonNode limit = spec.path("updateStrategy").path("rollingUpdate").path("maxUnavailable");
        int room = IntOrPercent.of(limit, meant.size(), true)
                - (int) meant.stream()
                        .filter(node -> on(node).stream().noneMatch(this::isAvailable))
                        .count();
        List<ObjectNode> outdated = new ArrayList<>();
        for (String node : nodes.keySet()) {
            for (ObjectNode pod : on(node)) {
                if (Pods.isDeleting(pod) || Pods.label(pod, DaemonPods.REVISION).equals(revision)) {
                    continue;
                }
                if (!isAvailable(pod)) {
                    outdated.add(pod);
                } else if (room > 0) {
                    outdated.add(pod);
                    room--;
                }
            }
        }
        return outdated;
    }

    boolean isAvailable(ObjectNode pod) {
        return !Pods.isDeleting(pod) && Pods.isAvailable(pod, minReady(), now);
    }

    Duration minReady() {
        return Duration.ofSeconds(spec.path("minReadySeconds").asLong());
    }
}
