package io.busbar.sandbox.patch;

import com.fasterxml.jackson.databind.JsonNode;

/** Names JSON types as Go's decoder does. Immutable. */
final class GoType {

    private GoType() {}

    static PatchException cannotUnmarshal(JsonNode value, String target) {
        return PatchException.malformed("json: cannot unmarshal " + of(value) + " into Go value of type " + target);
    }

    /** Of what is decoded before it is looked at more closely. */
    static PatchException cannotDecode(JsonNode value, String target) {
        return PatchException.malformed(
                "error decoding patch: json: cannot unmarshal " + of(value) + " into Go value of type " + target);
    }

    /** As Go's reflection calls what JSON is decoded to. */
    static String decoded(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "[]interface {}";
            case OBJECT -> "map[string]interface {}";
            case NUMBER -> value.isIntegralNumber() ? "int64" : "float64";
            case NULL -> "nil";
            default -> of(value);
        };
    }

    private static String of(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "array";
            case OBJECT -> "object";
            case BOOLEAN -> "bool";
            case NUMBER -> "number";
            default -> "string";
        };
    }
}
