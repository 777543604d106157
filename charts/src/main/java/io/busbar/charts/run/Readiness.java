package io.busbar.charts.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Optional;

/**
 * Whether an object does what it is for. Any thread. Source of the rules: {@code helm upgrade --wait}, and for
 * Deployments {@code kubectl rollout status}. Kinds of one name in several groups are several kinds.
 */
final class Readiness {

    private Readiness() {}

    /** What it lacks; empty where it is ready, or of a kind that is ready once it is there. */
    static Optional<String> lacks(JsonNode object) {
        JsonNode status = object.path("status");
        JsonNode spec = object.path("spec");
        return switch (InstanceObjects.kind(object)) {
            case "apps/v1 Deployment" ->
                rollout(object, "updatedReplicas", "availableReplicas").or(() -> formerPods(status));
            case "apps/v1 StatefulSet" ->
                spec.path("updateStrategy").path("type").asText().equals("OnDelete")
                                || spec.at("/updateStrategy/rollingUpdate/partition")
                                                .asInt()
                                        > 0
                        ? rollout(object, "replicas", "readyReplicas")
                        : rollout(object, "updatedReplicas", "readyReplicas");
            case "apps/v1 DaemonSet" -> daemons(object);
            case "batch/v1 Job" ->
                holds(status, "Failed")
                        ? Optional.of("it has failed: " + message(status, "Failed"))
                        : unless(holds(status, "Complete"), "it is not complete");
            case "v1 Pod" ->
                unless(holds(status, "Ready") || status.path("phase").asText().equals("Succeeded"), "it is not ready");
            case "v1 PersistentVolumeClaim" ->
                unless(status.path("phase").asText().equals("Bound"), "it is not bound");
            case "v1 Service" ->
                unless(
                        !spec.path("type").asText().equals("LoadBalancer")
                                || !spec.path("externalIPs").isEmpty()
                                || !status.at("/loadBalancer/ingress").isEmpty(),
                        "it has no address yet");
            default -> Optional.empty();
        };
    }

    /** Whether a Job or a Pod has come to its end, and how. */
    static Optional<Boolean> succeeded(JsonNode object) {
        JsonNode status = object.path("status");
        boolean pod = object.path("kind").asText().equals("Pod");
        String phase = status.path("phase").asText();
        if (pod ? phase.equals("Succeeded") : holds(status, "Complete")) {
            return Optional.of(true);
        }
        return (pod ? phase.equals("Failed") : holds(status, "Failed")) ? Optional.of(false) : Optional.empty();
    }

    /** Whether a Job or a Pod is at work: one that waits for an image, or for its turn after a failure, is not. */
    static boolean isRunning(JsonNode object) {
        JsonNode status = object.path("status");
        return succeeded(object).isEmpty()
                && (status.path("ready").asInt() > 0
                        || status.path("phase").asText().equals("Running"));
    }

    /** Why a Job or a Pod has failed. */
    static String failure(JsonNode object) {
        JsonNode status = object.path("status");
        String message = object.path("kind").asText().equals("Pod")
                ? status.path("message").asText()
                : message(status, "Failed");
        return message.isEmpty() ? "it has failed" : message;
    }

    private static Optional<String> rollout(JsonNode object, String updated, String ready) {
        JsonNode status = object.path("status");
        int wanted = object.path("spec").path("replicas").asInt(1);
        if (isUnseen(object)) {
            return Optional.of("it has not been looked at yet");
        }
        if (status.path(updated).asInt() < wanted) {
            return Optional.of(status.path(updated).asInt() + " of " + wanted + " Pods are updated");
        }
        return unless(
                status.path(ready).asInt() >= wanted, status.path(ready).asInt() + " of " + wanted + " Pods are ready");
    }

    private static Optional<String> formerPods(JsonNode status) {
        int former =
                status.path("replicas").asInt() - status.path("updatedReplicas").asInt();
        return unless(former <= 0, former + " Pods of before are still there");
    }

    private static Optional<String> daemons(JsonNode object) {
        JsonNode status = object.path("status");
        int wanted = status.path("desiredNumberScheduled").asInt();
        if (isUnseen(object)) {
            return Optional.of("it has not been looked at yet");
        }
        boolean updated = object.at("/spec/updateStrategy/type").asText().equals("OnDelete")
                || status.path("updatedNumberScheduled").asInt() >= wanted;
        return unless(
                updated && status.path("numberReady").asInt() >= wanted,
                status.path("numberReady").asInt() + " of " + wanted + " Pods are ready");
    }

    private static boolean isUnseen(JsonNode object) {
        return object.path("status").path("observedGeneration").asLong()
                < object.path("metadata").path("generation").asLong();
    }

    private static Optional<String> unless(boolean ready, String lack) {
        return ready ? Optional.empty() : Optional.of(lack);
    }

    private static boolean holds(JsonNode status, String type) {
        return condition(status, type).path("status").asText().equals("True");
    }

    private static String message(JsonNode status, String type) {
        return condition(status, type).path("message").asText();
    }

    private static JsonNode condition(JsonNode status, String type) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition;
            }
        }
        return MissingNode.getInstance();
    }
}
