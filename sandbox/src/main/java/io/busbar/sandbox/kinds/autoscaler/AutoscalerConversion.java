package io.busbar.sandbox.kinds.autoscaler;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.resource.Conversion;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Autoscalers are kept as {@code autoscaling/v2}, also served as {@code autoscaling/v1}, which has a percentage of CPU
 * as a field of its own, and all else that it lacks in annotations.
 *
 * <p>Immutable. From Kubernetes' {@code pkg/apis/autoscaling/v1/conversion.go}.
 */
public final class AutoscalerConversion {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final AutoscalerMetrics TARGET = new AutoscalerMetrics("target");
    private static final AutoscalerMetrics SEEN = new AutoscalerMetrics("current");
    private static final String PREFIX = "autoscaling.alpha.kubernetes.io/";
    private static final String CONDITIONS = PREFIX + "conditions";
    private static final String METRICS = PREFIX + "metrics";
    private static final String CURRENT = PREFIX + "current-metrics";
    private static final String BEHAVIOR = PREFIX + "behavior";

    private AutoscalerConversion() {}

    public static Conversion conversion() {
        return Conversion.of(AutoscalerConversion::toFirst, AutoscalerConversion::toSecond);
    }

    private static ObjectNode toFirst(ObjectNode second) {
        ObjectNode first = second.deepCopy().put("apiVersion", "autoscaling/v1");
        ObjectNode spec = first.withObject("/spec");
        ObjectNode status = first.withObject("/status");
        ArrayNode others = first.arrayNode();
        for (JsonNode metric : spec.path("metrics")) {
            JsonNode percentage = metric.at("/resource/target/averageUtilization");
            if (isCpu(metric) && percentage.isNumber() && !spec.has("targetCPUUtilizationPercentage")) {
                spec.set("targetCPUUtilizationPercentage", percentage);
            } else {
                others.add(TARGET.toFirst(metric));
            }
        }
        ArrayNode current = first.arrayNode();
        for (JsonNode metric : status.path("currentMetrics")) {
            JsonNode percentage = metric.at("/resource/current/averageUtilization");
            if (isCpu(metric) && percentage.isNumber()) {
                status.set("currentCPUUtilizationPercentage", percentage);
            }
            current.add(SEEN.toFirst(metric));
        }
        note(first, METRICS, others);
        note(first, CURRENT, current);
        note(first, CONDITIONS, status.path("conditions"));
        note(first, BEHAVIOR, renamed(spec.path("behavior"), Character::toUpperCase));
        spec.remove("metrics");
        spec.remove("behavior");
        status.remove("currentMetrics");
        status.remove("conditions");
        return first;
    }

    private static ObjectNode toSecond(ObjectNode first) {
        ObjectNode second = first.deepCopy().put("apiVersion", "autoscaling/v2");
        ObjectNode spec = second.withObject("/spec");
        ObjectNode status = second.withObject("/status");
        ArrayNode metrics = second.arrayNode();
        noted(second, METRICS).forEach(metric -> metrics.add(TARGET.toSecond(metric)));
        JsonNode percentage = spec.remove("targetCPUUtilizationPercentage");
        if (percentage != null) {
            cpu(metrics.addObject(), "target").put("type", "Utilization").set("averageUtilization", percentage);
        }
        ArrayNode current = second.arrayNode();
        noted(second, CURRENT).forEach(metric -> current.add(SEEN.toSecond(metric)));
        JsonNode used = status.remove("currentCPUUtilizationPercentage");
        if (used != null && current.isEmpty()) {
            cpu(current.addObject(), "current").put("averageValue", "0").set("averageUtilization", used);
        }
        put(spec, "metrics", metrics);
        put(spec, "behavior", renamed(noted(second, BEHAVIOR), Character::toLowerCase));
        put(status, "currentMetrics", current);
        put(status, "conditions", noted(second, CONDITIONS));
        forget(second);
        return second;
    }

    private static boolean isCpu(JsonNode metric) {
        return metric.path("type").asText().equals("Resource")
                && metric.at("/resource/name").asText().equals("cpu");
    }

    private static ObjectNode cpu(ObjectNode metric, String side) {
        return metric.put("type", "Resource")
                .putObject("resource")
                .put("name", "cpu")
                .putObject(side);
    }

    private static void put(ObjectNode object, String field, JsonNode value) {
        if (!value.isEmpty()) {
            object.set(field, value);
        }
    }

    private static void note(ObjectNode first, String annotation, JsonNode value) {
        if (!value.isEmpty()) {
            first.withObject("/metadata").withObjectProperty("annotations").put(annotation, value.toString());
        }
    }

    /** What an annotation holds; nothing where it is absent, or no JSON. */
    private static JsonNode noted(ObjectNode object, String annotation) {
        String text =
                object.path("metadata").path("annotations").path(annotation).asText();
        try {
            return text.isEmpty() ? MissingNode.getInstance() : MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    private static void forget(ObjectNode second) {
        if (second.path("metadata").path("annotations") instanceof ObjectNode annotations) {
            annotations.remove(List.of(METRICS, CURRENT, CONDITIONS, BEHAVIOR));
            if (annotations.isEmpty()) {
                second.withObject("/metadata").remove("annotations");
            }
        }
    }

    /** With the first letter of each name changed: the annotation has the names of Go's fields. */
    private static JsonNode renamed(JsonNode node, UnaryOperator<Character> letter) {
        if (node instanceof ObjectNode object) {
            ObjectNode renamed = object.objectNode();
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                String name = field.getKey();
                renamed.set(letter.apply(name.charAt(0)) + name.substring(1), renamed(field.getValue(), letter));
            }
            return renamed;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode renamed = array.arrayNode();
            array.forEach(item -> renamed.add(renamed(item, letter)));
            return renamed;
        }
        return node;
    }
}
