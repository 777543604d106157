package io.busbar.sandbox.kinds.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Cells of Nodes. Any thread. */
final class NodeColumns {

    static final Map<String, Function<JsonNode, String>> CELLS =
            Map.of("status", NodeColumns::status, "roles", NodeColumns::roles);

    private NodeColumns() {}

    private static String status(JsonNode node) {
        String ready = "Unknown";
        for (JsonNode condition : node.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                ready = condition.path("status").asText().equals("True") ? "Ready" : "NotReady";
            }
        }
        return node.path("spec").path("unschedulable").asBoolean() ? ready + ",SchedulingDisabled" : ready;
    }

    private static String roles(JsonNode node) {
        String prefix = "node-role.kubernetes.io/";
        List<String> roles = new ArrayList<>();
        node.at("/metadata/labels").fieldNames().forEachRemaining(label -> {
            if (label.startsWith(prefix)) {
                roles.add(label.substring(prefix.length()));
            }
        });
        return String.join(",", roles);
    }
}
