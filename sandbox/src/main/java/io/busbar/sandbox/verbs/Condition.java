package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Metadata;
import java.time.Instant;

/** The conditions of Pods that the API server itself sets. Any thread. */
final class Condition {

    private Condition() {}

    /**
     * Sets a condition to true.
     *
     * @param pod not shared
     * @return the condition, to be explained
     */
    static ObjectNode set(ObjectNode pod, String type, Instant now) {
        ArrayNode conditions = pod.withObject("/status").withArray("conditions");
        ObjectNode condition = conditions.objectNode();
        JsonNode before = conditions.missingNode();
        for (int i = 0; i < conditions.size(); i++) {
            if (conditions.path(i).path("type").asText().equals(type)) {
                before = conditions.get(i);
                conditions.set(i, condition);
            }
        }
        if (before.isMissingNode()) {
            conditions.add(condition);
        }
        boolean held = before.path("status").asText().equals("True");
        condition
                .put("type", type)
                .put("status", "True")
                .putNull("lastProbeTime")
                .put(
                        "lastTransitionTime",
                        held ? before.path("lastTransitionTime").asText() : Metadata.time(now));
        long generation = Metadata.of(pod).generation();
        return generation == 0 ? condition : condition.put("observedGeneration", (int) generation);
    }
}
