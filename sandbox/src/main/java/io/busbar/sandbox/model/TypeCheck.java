package io.busbar.sandbox.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.wire.WireMessages;
import io.busbar.sandbox.wire.WireMessages.Field;
import java.util.Map;

/**
 * Refuses values that Go could not decode into the fields of a kind, in the words of its JSON decoder.
 *
 * <p>Immutable.
 */
record TypeCheck(ObjectNode whole) {

    void check(String message) {
        object(whole, message, "");
    }

    private void object(JsonNode object, String message, String path) {
        Map<String, Field> fields = WireMessages.named(message);
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            Field field = fields.get(entry.getKey());
            if (field != null && !entry.getValue().isNull()) {
                String below = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
                field(entry.getValue(), field, new Place(shortName(message), below));
            }
        }
    }

    /** A field as Go's decoder names it: the struct that has it, and the way there, without indices. */
    private record Place(String struct, String path) {}

    private void field(JsonNode value, Field field, Place place) {
        if (field.repeated()) {
            require(value.isArray(), value, "[]" + goType(field.type()), place);
            value.forEach(item -> value(item, field.type(), place));
        } else if (field.map()) {
            require(value.isObject(), value, "map[string]" + goType(field.type()), place);
            value.forEach(item -> value(item, field.type(), place));
        } else {
            value(value, field.type(), place);
        }
    }

    private void value(JsonNode value, String type, Place place) {
        if (value.isNull()) {
            return;
        }
        switch (type) {
            case "s", "y", "Time", "MicroTime" -> require(value.isTextual(), value, goType(type), place);
            case "i" -> require(value.isIntegralNumber() && value.canConvertToInt(), value, goType(type), place);
            case "l" -> require(value.isIntegralNumber() && value.canConvertToLong(), value, goType(type), place);
            case "d" -> require(value.isNumber(), value, goType(type), place);
            case "b" -> require(value.isBoolean(), value, goType(type), place);
            case "IntOrString" -> require(value.isTextual() || value.isIntegralNumber(), value, goType(type), place);
            default -> {
                if (WireMessages.isKnown(type)) {
                    require(value.isObject(), value, goType(type), place);
                    object(value, type, place.path());
                }
            }
        }
    }

    private void require(boolean fits, JsonNode value, String type, Place place) {
        if (!fits) {
            String kind = whole.path("kind").asText();
            String apiVersion = whole.path("apiVersion").asText();
            throw StatusException.badRequest(kind + " in version \""
                    + apiVersion.substring(apiVersion.indexOf('/') + 1) + "\" cannot be handled as a " + kind
                    + ": json: cannot unmarshal " + described(value, type) + " into Go struct field " + place.struct()
                    + "."
                    + place.path() + " of type " + type);
        }
    }

    private static String described(JsonNode value, String type) {
        return switch (value.getNodeType()) {
            case ARRAY -> "array";
            case BOOLEAN -> "bool";
            case NUMBER -> type.matches("(int|float)\\d+") ? "number " + value : "number";
            case OBJECT -> "object";
            default -> "string";
        };
    }

    private static String goType(String type) {
        return switch (type) {
            case "s" -> "string";
            case "i" -> "int32";
            case "l" -> "int64";
            case "b" -> "bool";
            case "d" -> "float64";
            case "y" -> "[]uint8";
            case "Time" -> "v1.Time";
            case "MicroTime" -> "v1.MicroTime";
            case "IntOrString" -> "intstr.IntOrString";
            default -> type.substring(type.indexOf('.') + 1);
        };
    }

    private static String shortName(String message) {
        return message.substring(message.lastIndexOf('.') + 1);
    }
}
