package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Defaults of autoscalers, in place: at least one replica, and CPU as what counts where nothing is told. Any thread. */
final class AutoscalerDefaults {

    private static final int PERCENT = 80;
    private static final int PERIOD_SECONDS = 15;
    private static final String METRICS = "autoscaling.alpha.kubernetes.io/metrics";

    private AutoscalerDefaults() {}

    static void fill(ObjectNode autoscaler) {
        ObjectNode spec = Fields.in(autoscaler, "spec");
        Fields.number(spec, "minReplicas", 1);
        if (autoscaler.path("apiVersion").asText().equals("autoscaling/v1")) {
            if (!autoscaler.path("metadata").path("annotations").has(METRICS)) {
                Fields.number(spec, "targetCPUUtilizationPercentage", PERCENT);
            }
            return;
        }
        if (spec.path("metrics").isEmpty()) {
            ObjectNode cpu = spec.putArray("metrics").addObject().put("type", "Resource");
            cpu.putObject("resource")
                    .put("name", "cpu")
                    .putObject("target")
                    .put("type", "Utilization")
                    .put("averageUtilization", PERCENT);
        }
        Fields.ifObject(spec.get("behavior"), AutoscalerDefaults::behavior);
    }

    private static void behavior(ObjectNode behavior) {
        ObjectNode up = Fields.in(behavior, "scaleUp");
        Fields.number(up, "stabilizationWindowSeconds", 0);
        rules(up, 4);
        rules(Fields.in(behavior, "scaleDown"), 0);
    }

    /** @param pods how many at a time, if any number is a default */
    private static void rules(ObjectNode rules, int pods) {
        Fields.text(rules, "selectPolicy", "Max");
        JsonNode given = rules.path("policies");
        if (given.isEmpty()) {
            ArrayNode policies = rules.putArray("policies");
            if (pods > 0) {
                policy(policies, "Pods", pods);
            }
            policy(policies, "Percent", 100);
        }
    }

    private static void policy(ArrayNode policies, String type, int value) {
        policies.addObject().put("type", type).put("value", value).put("periodSeconds", PERIOD_SECONDS);
    }
}
