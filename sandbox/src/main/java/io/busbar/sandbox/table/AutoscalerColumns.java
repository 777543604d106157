package io.busbar.sandbox.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Columns of autoscalers, of which nobody has measured anything. Any thread. */
final class AutoscalerColumns {

    private static final String UNKNOWN = "<unknown>/";
    private static final int MOST = 2;

    /** By plural and group. */
    static final Map<String, List<Column>> ALL = Map.of(
            "horizontalpodautoscalers.autoscaling",
            List.of(
                    Column.NAME,
                    Column.text(
                            "Reference",
                            autoscaler -> autoscaler
                                            .at("/spec/scaleTargetRef/kind")
                                            .asText() + "/"
                                    + autoscaler.at("/spec/scaleTargetRef/name").asText()),
                    Column.text("Targets", AutoscalerColumns::targets),
                    text("MinPods", "/spec/minReplicas"),
                    text("MaxPods", "/spec/maxReplicas"),
                    text("Replicas", "/status/currentReplicas"),
                    Column.AGE));

    private AutoscalerColumns() {}

    /** Numbers under a header of texts, as the real server has it. */
    private static Column text(String name, String pointer) {
        return new Column(name, "string", "", name + ".", 0, (autoscaler, now) -> {
            JsonNode value = autoscaler.at(pointer);
            return value.isMissingNode() ? JsonNodeFactory.instance.textNode("<unset>") : value;
        });
    }

    private static String targets(ObjectNode autoscaler) {
        JsonNode percentage = autoscaler.at("/spec/targetCPUUtilizationPercentage");
        if (percentage.isNumber()) {
            return "cpu: " + UNKNOWN + percentage.asText() + "%";
        }
        List<String> targets = new ArrayList<>();
        for (JsonNode metric : autoscaler.at("/spec/metrics")) {
            targets.add(target(metric));
        }
        if (targets.isEmpty()) {
            return "<none>";
        }
        String more = targets.size() > MOST ? " + " + (targets.size() - MOST) + " more..." : "";
        return String.join(", ", targets.subList(0, Math.min(MOST, targets.size()))) + more;
    }

    private static String target(JsonNode metric) {
        String type = metric.path("type").asText();
        JsonNode source =
                metric.path(type.isEmpty() ? type : Character.toLowerCase(type.charAt(0)) + type.substring(1));
        JsonNode target = source.path("target");
        String name = source.has("name") ? source.path("name").asText() + ": " : "";
        return name
                + UNKNOWN
                + (target.has("averageUtilization")
                        ? target.path("averageUtilization").asText() + "%"
                        : target.has("averageValue")
                                ? target.path("averageValue").asText() + (type.equals("Resource") ? "" : " (avg)")
                                : target.path("value").asText());
    }
}
