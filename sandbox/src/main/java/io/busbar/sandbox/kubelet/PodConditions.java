package io.busbar.sandbox.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Conditions;

/** Sets conditions in a status that is being made; a time moves only when the status does. One thread. */
record PodConditions(ObjectNode podStatus, String time) {

    boolean holds(String type) {
        return Conditions.isTrue(podStatus, type);
    }

    /** @param reason empty for none */
    void set(String type, boolean holds, String reason) {
        String status = holds ? "True" : "False";
        ObjectNode condition = Conditions.find(podStatus, type) instanceof ObjectNode known
                ? known
                : podStatus.withArrayProperty("conditions").addObject();
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
        if (Conditions.find(podStatus, type) instanceof ObjectNode condition) {
            condition.put("message", message);
        }
    }
}
