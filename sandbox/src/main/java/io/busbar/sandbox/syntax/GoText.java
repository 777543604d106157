package io.busbar.sandbox.syntax;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.cel.GoValues;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Values in the form that Go's fmt gives them, since clients see and compare the API server's messages.
 *
 * <p>Immutable: functions of their arguments. Any thread.
 */
public final class GoText {

    private GoText() {}

    /** As {@code %q}: in double quotes, with what can't be printed escaped. */
    public static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(point -> append(quoted, point));
        return quoted.append('"').toString();
    }

    private static void append(StringBuilder to, int point) {
        switch (point) {
            case '"' -> to.append("\\\"");
            case '\\' -> to.append("\\\\");
            case '\n' -> to.append("\\n");
            case '\r' -> to.append("\\r");
            case '\t' -> to.append("\\t");
            default -> {
                if (point < 0x20 || point == 0x7f) {
                    to.append(String.format("\\x%02x", point));
                } else {
                    to.appendCodePoint(point);
                }
            }
        }
    }

    /** As a field error shows a bad value: numbers and booleans bare, text quoted, the rest as JSON. */
    public static String badValue(JsonNode value) {
        if (value.isNull() || value.isMissingNode()) {
            return "null";
        }
        return value.isValueNode() ? scalar(value) : value.toString();
    }

    /** As Go's JSON has an object that is a map there: with its fields in the order of their names. */
    public static JsonNode inOrder(JsonNode value) {
        if (value.isObject()) {
            ObjectNode ordered = JsonNodeFactory.instance.objectNode();
            sorted(value).forEach((name, field) -> ordered.set(name, inOrder(field)));
            return ordered;
        }
        if (value.isArray()) {
            ArrayNode items = JsonNodeFactory.instance.arrayNode();
            value.forEach(item -> items.add(inOrder(item)));
            return items;
        }
        return value;
    }

    /** A time of the API, as Go prints one. */
    public static String time(String text) {
        return text.endsWith("Z") ? text.substring(0, text.length() - 1).replace('T', ' ') + " +0000 UTC" : text;
    }

    /** As {@code %v}: text bare, maps as {@code map[k:v]}, lists as {@code [a b]}. */
    public static String plain(JsonNode value) {
        if (value.isTextual()) {
            return value.textValue();
        }
        if (value.isNull() || value.isMissingNode()) {
            return "<nil>";
        }
        if (value.isArray()) {
            return stream(value).map(GoText::plain).collect(Collectors.joining(" ", "[", "]"));
        }
        if (value.isObject()) {
            return sorted(value).entrySet().stream()
                    .map(entry -> entry.getKey() + ":" + plain(entry.getValue()))
                    .collect(Collectors.joining(" ", "map[", "]"));
        }
        return scalar(value);
    }

    private static String scalar(JsonNode value) {
        if (value.isTextual()) {
            return quote(value.textValue());
        }
        boolean isFloat = value.isFloatingPointNumber() || (value.isBigInteger() && !value.canConvertToLong());
        return isFloat ? GoValues.text(value.decimalValue()) : value.asText();
    }

    private static Stream<JsonNode> stream(JsonNode value) {
        return StreamSupport.stream(value.spliterator(), false);
    }

    private static Map<String, JsonNode> sorted(JsonNode value) {
        Map<String, JsonNode> sorted = new TreeMap<>();
        value.properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
        return sorted;
    }

    /** What is said of an object of one kind where another kind is at home. */
    public static String unconvertible(String fromVersion, String fromKind, String apiVersion, String kind) {
        return "converting (" + version(fromVersion) + "." + fromKind + ") to (" + goPackage(apiVersion) + "." + kind
                + "): unknown conversion";
    }

    /** What is said of a body that is no object. */
    public static String unmarshalable(JsonNode body) {
        return "json: cannot unmarshal " + jsonType(body) + " into Go value of type struct { APIVersion string"
                + " \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }";
    }

    /** What Go's decoder calls a value. */
    public static String jsonType(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "array";
            case STRING -> "string";
            case NUMBER -> "number";
            case BOOLEAN -> "bool";
            case OBJECT -> "object";
            default -> "null";
        };
    }

    /** The version in an {@code apiVersion}. */
    public static String version(String apiVersion) {
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    private static String goPackage(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "core" : apiVersion.substring(0, slash);
        int dot = group.indexOf('.');
        return dot < 0 ? group : group.substring(0, dot);
    }
}
