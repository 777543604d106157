package io.busbar.sandbox.kinds.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Counts;
import io.busbar.sandbox.controller.Times;
import io.busbar.sandbox.storage.Conditions;
import io.busbar.sandbox.storage.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a Deployment tells of its rollout, in the words of the deployment controller.
 *
 * <p>Immutable; it changes only the status that it is given.
 */
record DeploymentStatus(ObjectNode deployment, Family family, Instant now) {

    static final String PROGRESSING = "Progressing";
    static final String TIMED_OUT = "ProgressDeadlineExceeded";

    private static final String AVAILABLE = "Available";
    private static final String DONE = "NewReplicaSetAvailable";
    private static final String FAILURE = "ReplicaFailure";

    /** Counts, and whether enough Pods serve. */
    void count(ObjectNode status) {
        Strategy strategy = Strategy.of(deployment);
        int available = family.sum(Family::available);
        Counts.put(status, "observedGeneration", (int) Metadata.of(deployment).generation());
        Counts.put(status, "replicas", family.sum(set -> number(set, "replicas")));
        Counts.put(
                status,
                "updatedReplicas",
                family.current().map(set -> number(set, "replicas")).orElse(0));
        Counts.put(status, "readyReplicas", family.sum(set -> number(set, "readyReplicas")));
        Counts.put(status, "availableReplicas", available);
        Counts.put(status, "unavailableReplicas", Math.max(0, family.wanted() - available));
        if (available >= strategy.fewestAvailable()) {
            put(status, AVAILABLE, "True", "MinimumReplicasAvailable", "Deployment has minimum availability.");
        } else {
            put(
                    status,
                    AVAILABLE,
                    "False",
                    "MinimumReplicasUnavailable",
                    "Deployment does not have minimum availability.");
        }
    }

    /** Counts, and how the rollout gets on since the status was this. */
    void roll(ObjectNode status) {
        JsonNode before = status.deepCopy();
        count(status);
        if (!hasDeadline()) {
            Conditions.remove(status, PROGRESSING);
        } else if (!isSettled(status)) {
            progress(status, before);
        }
        Conditions.remove(status, FAILURE);
        family.current().map(List::of).orElse(family.all()).forEach(set -> {
            JsonNode failure = Conditions.find(set.path("status"), FAILURE);
            if (failure.isObject() && !Conditions.find(status, FAILURE).isObject()) {
                put(
                        status,
                        FAILURE,
                        "True",
                        failure.path("reason").asText(),
                        failure.path("message").asText());
            }
        });
    }

    private boolean isSettled(ObjectNode status) {
        return status.path("replicas").asInt() == status.path("updatedReplicas").asInt()
                && Conditions.find(status, PROGRESSING).path("reason").asText().equals(DONE);
    }

    private void progress(ObjectNode status, JsonNode before) {
        String who = family.current()
                .map(set -> "ReplicaSet \"" + Metadata.of(set).name() + "\"")
                .orElse("Deployment \"" + Metadata.of(deployment).name() + "\"");
        if (isComplete(status)) {
            put(status, PROGRESSING, "True", DONE, who + " has successfully progressed.");
        } else if (hasProgressed(before, status)) {
            JsonNode last = Conditions.find(status, PROGRESSING);
            String since = last.path("status").asText().equals("True")
                    ? last.path("lastTransitionTime").asText()
                    : Metadata.time(now);
            Conditions.remove(status, PROGRESSING);
            put(status, PROGRESSING, "True", "ReplicaSetUpdated", who + " is progressing.");
            if (Conditions.find(status, PROGRESSING) instanceof ObjectNode condition) {
                condition.put("lastTransitionTime", since);
            }
        } else if (isTimedOut(status)) {
            put(status, PROGRESSING, "False", TIMED_OUT, who + " has timed out progressing.");
        }
    }

    /** Whether all is as it was asked for. */
    boolean isComplete(JsonNode status) {
        int wanted = Strategy.of(deployment).replicas();
        return status.path("updatedReplicas").asInt() == wanted
                && status.path("replicas").asInt() == wanted
                && status.path("availableReplicas").asInt() == wanted
                && status.path("observedGeneration").asLong()
                        >= Metadata.of(deployment).generation();
    }

    private static boolean hasProgressed(JsonNode before, JsonNode after) {
        return after.path("updatedReplicas").asInt()
                        > before.path("updatedReplicas").asInt()
                || old(after) < old(before)
                || after.path("readyReplicas").asInt()
                        > before.path("readyReplicas").asInt()
                || after.path("availableReplicas").asInt()
                        > before.path("availableReplicas").asInt();
    }

    private static int old(JsonNode status) {
        return status.path("replicas").asInt() - status.path("updatedReplicas").asInt();
    }

    private boolean isTimedOut(JsonNode status) {
        JsonNode condition = Conditions.find(status, PROGRESSING);
        String reason = condition.path("reason").asText();
        if (!condition.isObject() || reason.equals(DONE)) {
            return false;
        }
        return reason.equals(TIMED_OUT) || deadline(condition).isBefore(now);
    }

    private Instant deadline(JsonNode condition) {
        return Times.read(condition.path("lastUpdateTime"))
                .orElse(now)
                .plusSeconds(
                        deployment.path("spec").path("progressDeadlineSeconds").asLong());
    }

    /** When a rollout that doesn't get on is late; null when there is none. */
    @Nullable
    Duration untilLate(JsonNode status) {
        JsonNode condition = Conditions.find(status, PROGRESSING);
        if (!hasDeadline()
                || !condition.isObject()
                || isComplete(status)
                || condition.path("reason").asText().equals(TIMED_OUT)) {
            return null;
        }
        Duration left = Duration.between(now, deadline(condition));
        return (left.isNegative() ? Duration.ZERO : left).plusSeconds(1);
    }

    boolean hasDeadline() {
        return deployment.path("spec").path("progressDeadlineSeconds").asLong() != Integer.MAX_VALUE;
    }

    /** Sets a condition, unless it holds already for this reason. */
    void put(ObjectNode status, String type, String holds, String reason, String message) {
        JsonNode before = Conditions.find(status, type);
        if (!before.path("status").asText().equals(holds)
                || !before.path("reason").asText().equals(reason)) {
            Conditions.set(status, type, holds, reason, message, now).put("lastUpdateTime", Metadata.time(now));
        }
    }

    private static int number(ObjectNode set, String field) {
        return set.path("status").path(field).asInt();
    }
}
