package io.busbar.sandbox.kinds.autoscaler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * One metric of an autoscaler: flat, as the annotations of {@code autoscaling/v1} have it, or nested as in {@code autoscaling/v2}.
 *
 * <p>Immutable.
 *
 * @param side {@code target} for what is wanted, {@code current} for what was seen
 */
record AutoscalerMetrics(String side) {

    private static final List<String> SOURCES = List.of("resource", "containerResource", "pods", "object", "external");

    /** Where v2 has the fields that v1 has in a source. */
    private Map<String, List<String>> places(String source) {
        List<String> value = List.of(side, "value");
        List<String> average = List.of(side, "averageValue");
        List<String> name = List.of("metric", "name");
        List<String> selector = List.of("metric", "selector");
        return switch (source) {
            case "pods" -> Map.of("metricName", name, "selector", selector, side + "AverageValue", average);
            case "object" ->
                Map.of(
                        "target",
                        List.of("describedObject"),
                        "metricName",
                        name,
                        "selector",
                        selector,
                        side + "Value",
                        value,
                        "averageValue",
                        average);
            case "external" ->
                Map.of(
                        "metricName",
                        name,
                        "metricSelector",
                        selector,
                        side + "Value",
                        value,
                        side + "AverageValue",
                        average);
            default ->
                Map.of(
                        "name",
                        List.of("name"),
                        "container",
                        List.of("container"),
                        side + "AverageUtilization",
                        List.of(side, "averageUtilization"),
                        side + "AverageValue",
                        average);
        };
    }

    ObjectNode toFirst(JsonNode second) {
        ObjectNode first = JsonNodeFactory.instance.objectNode();
        first.set("type", second.path("type"));
        for (String source : SOURCES) {
            JsonNode from = second.path(source);
            if (from.isObject()) {
                ObjectNode to = first.putObject(source);
                places(source).forEach((field, place) -> {
                    JsonNode value = from.at("/" + String.join("/", place));
                    if (!value.isMissingNode()) {
                        to.set(field, value);
                    }
                });
            }
        }
        return first;
    }

    ObjectNode toSecond(JsonNode first) {
        ObjectNode second = JsonNodeFactory.instance.objectNode();
        second.set("type", first.path("type"));
        for (String source : SOURCES) {
            JsonNode from = first.path(source);
            if (from.isObject()) {
                ObjectNode to = second.putObject(source);
                places(source).forEach((field, place) -> {
                    if (from.has(field)) {
                        parent(to, place).set(place.get(place.size() - 1), from.path(field));
                    }
                });
                if (side.equals("target") && to.get(side) instanceof ObjectNode target) {
                    target.put("type", type(target));
                }
            }
        }
        return second;
    }

    private static ObjectNode parent(ObjectNode object, List<String> place) {
        return place.size() == 1 ? object : object.withObjectProperty(place.get(0));
    }

    private static String type(ObjectNode target) {
        return target.has("averageUtilization") ? "Utilization" : target.has("averageValue") ? "AverageValue" : "Value";
    }
}
