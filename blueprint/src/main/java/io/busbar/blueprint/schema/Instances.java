package io.busbar.blueprint.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import io.busbar.blueprint.source.Place;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.Shown;
import io.busbar.blueprint.source.SourceNode;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Values against an OpenAPI v3 schema, as the API server sees them: defaults, then types, required fields and limits.
 *
 * <p>Any thread. It does not look at formats, at {@code allOf} and the like, nor at rules in CEL.
 */
public final class Instances {

    private Instances() {}

    /** Puts defaults where values are missing. */
    public static void addDefaults(JsonNode value, JsonNode schema) {
        if (value instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> property :
                    schema.path("properties").properties()) {
                JsonNode standard = property.getValue().path("default");
                JsonNode present = object.path(property.getKey());
                boolean replaced = present.isNull()
                        && !property.getValue().path("nullable").asBoolean();
                if (!standard.isMissingNode() && (present.isMissingNode() || replaced)) {
                    object.set(property.getKey(), standard.deepCopy());
                }
                addDefaults(object.path(property.getKey()), property.getValue());
            }
            JsonNode values = schema.path("additionalProperties");
            if (values.isObject()) {
                object.forEach(each -> addDefaults(each, values));
            }
        } else if (value instanceof ArrayNode list) {
            list.forEach(item -> addDefaults(item, schema.path("items")));
        }
    }

    /** What is wrong with a value, all of it at one place. */
    public static void check(JsonNode value, JsonNode schema, Place place, Problems problems) {
        new Look(problems, place).at(value, schema, null, "");
    }

    /**
     * What is wrong with a value that was read.
     *
     * @param value with its defaults
     * @param source where it was read from
     */
    public static void check(JsonNode value, JsonNode schema, SourceNode source, Problems problems) {
        new Look(problems, source.place()).at(value, schema, source, "");
    }

    /** One look at a value. One thread. */
    private record Look(Problems problems, Place whole) {

        private void at(JsonNode value, JsonNode schema, @Nullable SourceNode source, String path) {
            if (value.isNull() && (schema.path("nullable").asBoolean() || !path.isEmpty())) {
                return;
            }
            String type = schema.path("type").asText();
            boolean fits = switch (type) {
                case "string" -> value.isTextual();
                case "boolean" -> value.isBoolean();
                case "integer" -> value.isIntegralNumber();
                case "number" -> value.isNumber();
                case "array" -> value.isArray();
                case "object" -> value.isObject();
                default ->
                    !schema.path("x-kubernetes-int-or-string").asBoolean()
                            || value.isTextual()
                            || value.isIntegralNumber();
            };
            if (!fits) {
                tell(
                        source,
                        path,
                        shown(value) + " is not of the type " + (type.isEmpty() ? "integer or string" : type));
                return;
            }
            limits(value, schema).ifPresent(flaw -> tell(source, path, flaw));
            if (value.isObject()) {
                object(value, schema, source, path);
            } else if (value.isArray()) {
                list(value, schema, source, path);
            }
        }

        private void object(JsonNode value, JsonNode schema, @Nullable SourceNode source, String path) {
            JsonNode properties = schema.path("properties");
            JsonNode values = schema.path("additionalProperties");
            boolean open = values.asBoolean()
                    || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
            for (JsonNode required : schema.path("required")) {
                if (value.path(required.asText()).isMissingNode()) {
                    tell(source, path, "the field '" + required.asText() + "' is missing");
                }
            }
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                SourceNode below = source == null ? null : source.at(field.getKey());
                String at = path + "." + field.getKey();
                JsonNode its = properties.has(field.getKey()) ? properties.path(field.getKey()) : values;
                if (its.isObject()) {
                    at(field.getValue(), its, below, at);
                } else if (!open) {
                    Place place = below == null ? whole : below.keyPlace();
                    problems.add(place, (below == null ? at.substring(1) + ": " : "") + "unknown field");
                }
            }
        }

        private void list(JsonNode value, JsonNode schema, @Nullable SourceNode source, String path) {
            Set<JsonNode> seen = new HashSet<>();
            boolean set = schema.path("x-kubernetes-list-type").asText().equals("set");
            for (int i = 0; i < value.size(); i++) {
                SourceNode below = source == null || i >= source.items().size()
                        ? null
                        : source.items().get(i);
                if (set && !seen.add(value.get(i))) {
                    tell(below, path + "[" + i + "]", shown(value.get(i)) + " is there twice");
                }
                at(value.get(i), schema.path("items"), below, path + "[" + i + "]");
            }
        }

        private void tell(@Nullable SourceNode source, String path, String flaw) {
            String where = source == null && !path.isEmpty() ? path.replaceFirst("^\\.", "") + ": " : "";
            problems.add(source == null ? whole : source.place(), where + flaw);
        }

        private static Optional<String> limits(JsonNode value, JsonNode schema) {
            if (schema.has("enum")) {
                for (JsonNode each : schema.path("enum")) {
                    if (each.equals(value)) {
                        return Optional.empty();
                    }
                }
                return Optional.of(shown(value) + " is not allowed; allowed: " + schema.path("enum"));
            }
            if (value.isNumber()) {
                return amount(value.decimalValue(), schema, "imum", () -> shown(value));
            }
            if (value.isTextual()) {
                String text = value.textValue();
                String pattern = schema.path("pattern").asText();
                if (!pattern.isEmpty()
                        && !Pattern.compile(pattern).matcher(text).find()) {
                    return Optional.of(shown(value) + " does not match " + pattern);
                }
                return amount(
                        count(text.codePointCount(0, text.length())),
                        schema,
                        "Length",
                        () -> "the length of " + shown(value));
            }
            return value.isArray()
                    ? amount(count(value.size()), schema, "Items", () -> "the number of items")
                    : Optional.empty();
        }

        private static BigDecimal count(int number) {
            return BigDecimal.valueOf(number);
        }

        private static Optional<String> amount(
                BigDecimal amount, JsonNode schema, String limit, Supplier<String> what) {
            JsonNode least = schema.path("min" + limit);
            JsonNode most = schema.path("max" + limit);
            if (least.isNumber() && amount.compareTo(least.decimalValue()) < 0) {
                return Optional.of(what.get() + " is less than " + least);
            }
            return most.isNumber() && amount.compareTo(most.decimalValue()) > 0
                    ? Optional.of(what.get() + " is more than " + most)
                    : Optional.empty();
        }

        private static String shown(JsonNode value) {
            return Shown.of(value);
        }
    }
}
