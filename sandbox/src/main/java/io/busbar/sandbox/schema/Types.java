package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.patch.Equality;
import java.math.BigDecimal;

/** The types of OpenAPI. Immutable. */
final class Types {

    private static final BigDecimal LARGEST_EXACT = BigDecimal.valueOf((1L << 53) - 1);

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

    /**
     * {@code 1.0} is one; what does not fit into 64 bits is none, nor what is written as a fraction and is beyond its
     * precision.
     */
    static boolean isInteger(JsonNode value) {
        if (value.isIntegralNumber()) {
            return value.canConvertToLong();
        }
        return value.isNumber()
                && value.decimalValue().stripTrailingZeros().scale() <= 0
                && value.decimalValue().abs().compareTo(LARGEST_EXACT) <= 0;
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
