package io.busbar.sandbox.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Sets conditions in a status that is being made; a time moves only when the status does. One thread. */
record PodConditions(ArrayNode conditions, String time) {

    static PodConditions in(ObjectNode podStatus, String time) {
        ArrayNode conditions =
                podStatus.get("conditions") instanceof ArrayNode known ? known : podStatus.putArray("conditions");
        return new PodConditions(conditions, time);
    }

    boolean holds(String type) {
        return find(type).path("status").asText().equals("True");
    }

    /** @param reason empty for none */
    void set(String type, boolean holds, String reason) {
        String status = holds ? "True" : "False";
        ObjectNode condition = find(type) instanceof ObjectNode known ? known : conditions.addObject();
        if (!condition.path("status").asText().equals(status)) {
            condition.put("type", type).put("status", status).put("lastTransitionTime", time);
        }
        condition.remove("message");
        if (reason.isEmpty()) {
            condition.remove("reason");
        } else {
            condition.put("reason", reason);
        }
    }

    /** Adds a message for people to a condition that is there. */
    void explain(String type, String message) {
        if (find(type) instanceof ObjectNode condition) {
            condition.put("message", message);
        }
    }

    private JsonNode find(String type) {
        for (JsonNode condition : conditions) {
            if (condition.path("type").asText().equals(type)) {
                return condition;
            }
        }
        return conditions.missingNode();
    }
}
