package io.busbar.charts.watches;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.common.configuration.ConfigurationProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads fields, and tells of those that are wrong. */
final class Fields {

    private Fields() {}

    /** All that is wrong with one file. One thread. */
    static final class Problems {

        private final String file;
        private final List<ConfigurationProblem> all = new ArrayList<>();

        Problems(String file) {
            this.file = file;
        }

        void add(String key, String value, String allowed) {
            all.add(new ConfigurationProblem(key.isEmpty() ? file : file + ": " + key, value, allowed));
        }

        List<ConfigurationProblem> all() {
            return List.copyOf(all);
        }
    }

    static void names(JsonNode object, String place, Set<String> allowed, Problems problems) {
        object.properties().stream()
                .filter(field -> !allowed.contains(field.getKey()))
                .forEach(field -> problems.add(
                        place + "." + field.getKey(),
                        field.getValue().isValueNode()
                                ? field.getValue().asText()
                                : field.getValue().toString(),
                        "one of the fields " + String.join(", ", new TreeSet<>(allowed))));
    }

    /** Empty where there is none, which is told. */
    static String text(JsonNode object, String field, String place, Problems problems) {
        JsonNode value = object.path(field);
        if (!value.isTextual() || value.asText().isBlank()) {
            problems.add(place + "." + field, value.isMissingNode() ? "" : value.asText(), "a text");
            return "";
        }
        return value.asText();
    }

    static boolean truth(JsonNode object, String field, boolean otherwise, String place, Problems problems) {
        JsonNode value = object.path(field);
        if (!value.isMissingNode() && !value.isBoolean()) {
            problems.add(place + "." + field, value.asText(), "true or false");
        }
        return value.asBoolean(otherwise);
    }

    /** Of a map with texts, numbers and truths. */
    static Map<String, JsonNode> scalars(JsonNode map, String place, Problems problems) {
        Map<String, JsonNode> scalars = new LinkedHashMap<>();
        if (!map.isObject() && !map.isMissingNode() && !map.isNull()) {
            problems.add(place, map.toString(), "a map of texts, numbers and truths");
        }
        map.properties().forEach(field -> {
            if (field.getValue().isValueNode() && !field.getValue().isNull()) {
                scalars.put(field.getKey(), field.getValue());
            } else {
                problems.add(
                        place + "." + field.getKey(), field.getValue().toString(), "a text, a number, true or false");
            }
        });
        return scalars;
    }

    /** Of a map of texts; numbers and truths are taken for texts, as they are written. */
    static Map<String, String> texts(JsonNode map, String place, Problems problems) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (!map.isObject() && !map.isMissingNode() && !map.isNull()) {
            problems.add(place, map.toString(), "a map of texts");
        }
        map.properties().forEach(field -> {
            if (field.getValue().isValueNode() && !field.getValue().isNull()) {
                texts.put(field.getKey(), field.getValue().asText());
            } else {
                problems.add(place + "." + field.getKey(), field.getValue().toString(), "a text");
            }
        });
        return texts;
    }
}
