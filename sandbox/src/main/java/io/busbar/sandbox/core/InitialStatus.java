package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * The status that an object of a built-in kind starts with, whatever the client sent.
 *
 * <p>Any thread.
 */
public final class InitialStatus {

    private static final Map<String, List<String>> COUNTS = Map.of(
            "ReplicaSet", List.of("replicas"),
            "ReplicationController", List.of("replicas"),
            "StatefulSet", List.of("replicas"),
            "DaemonSet",
                    List.of("currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady"),
            "PodDisruptionBudget", List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"),
            "HorizontalPodAutoscaler", List.of("currentReplicas", "desiredReplicas"));

    private InitialStatus() {}

    /** @param object decoded; read for a Pod's quality of service */
    public static ObjectNode of(String kind, ObjectNode object) {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        COUNTS.getOrDefault(kind, List.of()).forEach(count -> status.put(count, 0));
        switch (kind) {
            case "Pod" -> status.put("phase", "Pending").put("qosClass", qualityOfService(object.path("spec")));
            case "Namespace" -> status.put("phase", "Active");
            case "PersistentVolume", "PersistentVolumeClaim" -> status.put("phase", "Pending");
            case "Service", "Ingress" -> status.putObject("loadBalancer");
            default -> {}
        }
        return status;
    }

    /** Guaranteed when each container's limits of cpu and memory are its requests, best effort when none has either. */
    static String qualityOfService(JsonNode spec) {
        boolean any = false;
        boolean all = true;
        for (String list : List.of("initContainers", "containers")) {
            for (JsonNode container : spec.path(list)) {
                JsonNode resources = container.path("resources");
                for (String resource : List.of("cpu", "memory")) {
                    JsonNode limit = resources.path("limits").path(resource);
                    JsonNode request = resources.path("requests").path(resource);
                    any |= !limit.isMissingNode() || !request.isMissingNode();
                    all &= !limit.isMissingNode() && limit.equals(request);
                }
            }
        }
        return !any ? "BestEffort" : all ? "Guaranteed" : "Burstable";
    }
}
