package io.busbar.sandbox.kinds.autoscaler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One metric of an autoscaler: flat, as the annotations of {@code autoscaling/v1} have it, or nested as in
 * {@code autoscaling/v2}.
 *
 * <p>Immutable.
 *
 * @param side {@code target} for what is wanted, {@code current} for what was seen
 */
record AutoscalerMetrics(String side) {

    private static final List<String> SOURCES = List.of("resource", "containerResource", "pods", "object", "external");

    /** Where v2 has the fields that v1 has in a source. */
    private Map<String, String> places(String source) {
        String places = switch (source) {
            case "pods" -> "metricName metric/name, selector metric/selector, ^AverageValue ^/averageValue";
            case "object" ->
                "target describedObject, metricName metric/name, selector metric/selector,"
                        + " ^Value ^/value, averageValue ^/averageValue";
            case "external" ->
                "metricName metric/name, metricSelector metric/selector, ^Value ^/value,"
                        + " ^AverageValue ^/averageValue";
            default ->
                "name name, container container, ^AverageUtilization ^/averageUtilization,"
                        + " ^AverageValue ^/averageValue";
        };
        return Arrays.stream(places.replace("^", side).split(", ", -1))
                .map(place -> place.split(" ", -1))
                .collect(Collectors.toMap(place -> place[0], place -> place[1]));
    }

    ObjectNode toFirst(JsonNode second) {
        ObjectNode first = JsonNodeFactory.instance.objectNode();
        first.set("type", second.path("type"));
        for (String source : SOURCES) {
            JsonNode from = second.path(source);
            if (from.isObject()) {
                ObjectNode to = first.putObject(source);
                places(source).forEach((field, place) -> {
                    JsonNode value = from.at("/" + place);
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
                        parent(to, place).set(place.substring(place.indexOf('/') + 1), from.path(field));
                    }
                });
                if (side.equals("target") && to.get(side) instanceof ObjectNode target) {
                    target.put("type", type(target));
                }
            }
        }
        return second;
    }

    private static ObjectNode parent(ObjectNode object, String place) {
        int slash = place.indexOf('/');
        return slash < 0 ? object : object.withObjectProperty(place.substring(0, slash));
    }

    private static String type(ObjectNode target) {
        return target.has("averageUtilization") ? "Utilization" : target.has("averageValue") ? "AverageValue" : "Value";
    }
}
