package io.busbar.sandbox.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/** Conditions in a status. Any thread. */
public final class Conditions {

    private Conditions() {}

    /** A missing node for none. */
    public static JsonNode find(JsonNode status, String type) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition;
            }
        }
        return status.path("conditions").path("none");
    }

    public static boolean isTrue(JsonNode status, String type) {
        return find(status, type).path("status").asText().equals("True");
    }

    /**
     * Adds a condition at the end, in the place of another of its type; its transition is now, unless it holds as
     * before.
     */
    public static ObjectNode set(
            ObjectNode status, String type, String holds, String reason, String message, Instant now) {
        JsonNode before = find(status, type);
        String since = before.path("status").asText().equals(holds)
                ? before.path("lastTransitionTime").asText()
                : Metadata.time(now);
        remove(status, type);
        ArrayNode conditions =
                status.get("conditions") instanceof ArrayNode known ? known : status.putArray("conditions");
        ObjectNode condition = conditions.addObject();
        condition.put("type", type).put("status", holds).put("lastTransitionTime", since);
        if (!reason.isEmpty()) {
            condition.put("reason", reason);
        }
        if (!message.isEmpty()) {
            condition.put("message", message);
        }
        return condition;
    }

    public static void remove(ObjectNode status, String type) {
        if (status.get("conditions") instanceof ArrayNode conditions) {
            for (int i = conditions.size() - 1; i >= 0; i--) {
                if (conditions.path(i).path("type").asText().equals(type)) {
                    conditions.remove(i);
                }
            }
            if (conditions.isEmpty()) {
                status.remove("conditions");
            }
        }
    }
}
