package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Metadata;
import java.time.Instant;

/** The conditions of a definition. Any thread. */
final class DefinitionConditions {

    private DefinitionConditions() {}

    /** {@code True}, {@code False}, or empty for a condition that is not there. */
    static String status(JsonNode definition, String type) {
        for (JsonNode condition : definition.path("status").path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText();
            }
        }
        return "";
    }

    /** Sets one, in place; its time is that of the last change of its status. */
    static void set(ObjectNode definition, String type, boolean status, String reason, String message, Instant now) {
        ObjectNode parent = definition.withObject("/status");
        ArrayNode conditions =
                parent.path("conditions") instanceof ArrayNode array ? array : parent.putArray("conditions");
        String value = status ? "True" : "False";
        ObjectNode condition = null;
        for (JsonNode one : conditions) {
            if (one instanceof ObjectNode object && one.path("type").asText().equals(type)) {
                condition = object;
            }
        }
        if (condition == null) {
            condition = conditions.addObject().put("type", type);
        }
        if (!condition.path("status").asText().equals(value)) {
            condition.put("status", value).put("lastTransitionTime", Metadata.time(now));
        }
        condition.put("reason", reason).put("message", message);
    }
}
