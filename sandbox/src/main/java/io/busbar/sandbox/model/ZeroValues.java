package io.busbar.sandbox.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.wire.WireMessages;
import io.busbar.sandbox.wire.WireMessages.Field;
import java.util.Map;

/**
 * What Go's decoder makes of nulls in lists and maps: the zero value of the element's type. Nulls elsewhere are absent fields.
 *
 * <p>Immutable; the objects passed in are altered.
 */
final class ZeroValues {

    private ZeroValues() {}

    static void fill(ObjectNode object, String message) {
        Map<String, Field> fields = WireMessages.named(message);
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            Field field = fields.get(entry.getKey());
            if (field != null) {
                fill(entry.getValue(), field);
            }
        }
    }

    private static void fill(JsonNode value, Field field) {
        if (field.repeated() && value instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                list.set(i, filled(list.path(i), field.type()));
            }
        } else if (field.map() && value instanceof ObjectNode map) {
            map.properties().forEach(entry -> entry.setValue(filled(entry.getValue(), field.type())));
        } else {
            filled(value, field.type());
        }
    }

    private static JsonNode filled(JsonNode value, String type) {
        if (value instanceof ObjectNode object && WireMessages.isKnown(type)) {
            fill(object, type);
        }
        return value.isNull() ? zero(type) : value;
    }

    private static JsonNode zero(String type) {
        return switch (type) {
            case "s", "y" -> TextNode.valueOf("");
            case "i", "l", "d" -> IntNode.valueOf(0);
            case "b" -> BooleanNode.FALSE;
            default ->
                WireMessages.isKnown(type)
                        ? JsonNodeFactory.instance.objectNode()
                        : JsonNodeFactory.instance.nullNode();
        };
    }
}
