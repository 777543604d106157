package io.busbar.sandbox.kinds.replicaset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Counts;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.storage.Conditions;
import io.busbar.sandbox.storage.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a ReplicaSet tells of its Pods. Immutable. */
record ReplicaSetStatus(ObjectNode set, Instant now) {

    private static final String FAILURE = "ReplicaFailure";

    static Duration minReady(ObjectNode set) {
        return Duration.ofSeconds(set.path("spec").path("minReadySeconds").asLong());
    }

    /** @param failure why not all Pods could be made; null when they could */
    void fill(ObjectNode status, List<ObjectNode> pods, @Nullable Throwable failure) {
        List<ObjectNode> active = Pods.active(pods);
        JsonNode wanted = set.path("spec").path("template").path("metadata").path("labels");
        status.put("replicas", active.size());
        Counts.put(status, "fullyLabeledReplicas", count(active, pod -> hasLabels(pod, wanted)));
        Counts.put(status, "readyReplicas", count(active, Pods::isReady));
        Counts.put(status, "availableReplicas", count(active, pod -> Pods.isAvailable(pod, minReady(set), now)));
        Counts.put(status, "observedGeneration", (int) Metadata.of(set).generation());
        if (failure == null) {
            Conditions.remove(status, FAILURE);
        } else if (!Conditions.isTrue(status, FAILURE)) {
            Conditions.set(status, FAILURE, "True", "FailedCreate", String.valueOf(failure.getMessage()), now);
        }
    }

    private static int count(List<ObjectNode> pods, Predicate<ObjectNode> wanted) {
        return (int) pods.stream().filter(wanted).count();
    }

    private static boolean hasLabels(ObjectNode pod, JsonNode wanted) {
        JsonNode labels = pod.path("metadata").path("labels");
        for (Map.Entry<String, JsonNode> label : wanted.properties()) {
            if (!label.getValue().equals(labels.path(label.getKey()))) {
                return false;
            }
        }
        return true;
    }
}
