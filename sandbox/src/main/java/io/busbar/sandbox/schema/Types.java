package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.patch.Equality;

/** The types of OpenAPI. Immutable. */
final class Types {

    private Types() {}

    static boolean fits(JsonNode value, String type) {
        return switch (type) {
            case "integer" -> isInteger(value);
            case "number" -> value.isNumber();
            case "string" -> value.isTextual();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            default -> true;
        };
    }

    /** {@code 1.0} is one. */
    static boolean isInteger(JsonNode value) {
        return value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
    }

    static String nameOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "array";
            case OBJECT -> "object";
            case BOOLEAN -> "boolean";
            case NUMBER -> isInteger(value) ? "integer" : "number";
            case STRING -> "string";
            default -> "null";
        };
    }

    static boolean equal(JsonNode a, JsonNode b) {
        return Equality.equal(a, b);
    }
}
