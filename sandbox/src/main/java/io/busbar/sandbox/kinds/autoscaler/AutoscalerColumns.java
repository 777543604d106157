package io.busbar.sandbox.kinds.autoscaler;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Cells of autoscalers, of which nobody has measured anything. Any thread. */
final class AutoscalerColumns {

    private static final String UNKNOWN = "<unknown>/";
    private static final int MOST = 2;

    private AutoscalerColumns() {}

    static String targets(JsonNode autoscaler) {
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
