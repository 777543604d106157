package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import io.busbar.sandbox.status.Causes;
import java.util.List;

/** Validation of autoscalers: their bounds, what they scale, and by how much CPU. Any thread. */
final class AutoscalerValidation {

    private AutoscalerValidation() {}

    static void check(Causes causes, JsonNode spec) {
        long least = spec.path("minReplicas").asLong();
        long most = spec.path("maxReplicas").asLong();
        if (least < 1) {
            causes.invalid("spec.minReplicas", spec.path("minReplicas"), "must be greater than or equal to 1");
        }
        if (most < 1) {
            causes.invalid("spec.maxReplicas", LongNode.valueOf(most), "must be greater than 0");
        }
        if (most < least) {
            causes.invalid(
                    "spec.maxReplicas", LongNode.valueOf(most), "must be greater than or equal to `minReplicas`");
        }
        for (String field : List.of("kind", "name")) {
            String value = spec.path("scaleTargetRef").path(field).asText();
            if (value.isEmpty()) {
                causes.required("spec.scaleTargetRef." + field, "");
            } else if (value.contains("/")) {
                causes.invalid("spec.scaleTargetRef." + field, value, "may not contain '/'");
            }
        }
        if (spec.has("targetCPUUtilizationPercentage")) {
            percentage(causes, 0, spec.path("targetCPUUtilizationPercentage"));
        }
        for (int i = 0; i < spec.path("metrics").size(); i++) {
            percentage(causes, i, spec.path("metrics").path(i).at("/resource/target/averageUtilization"));
        }
        if (least == 0 && !scalesFromZero(spec)) {
            causes.forbidden(
                    "spec.metrics",
                    "must specify at least one Object or External metric to support scaling to zero replicas");
        }
    }

    private static void percentage(Causes causes, int metric, JsonNode percentage) {
        if (percentage.isNumber() && percentage.asLong() < 1) {
            causes.invalid(
                    "spec.metrics[" + metric + "].resource.target.averageUtilization",
                    percentage,
                    "must be greater than 0");
        }
    }

    private static boolean scalesFromZero(JsonNode spec) {
        for (JsonNode metric : spec.path("metrics")) {
            if (List.of("Object", "External").contains(metric.path("type").asText())) {
                return true;
            }
        }
        return false;
    }
}
