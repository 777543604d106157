package io.busbar.sandbox.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.cel.Quantity;
import io.busbar.sandbox.syntax.GoTime;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What Go's decoder makes of nulls in lists and maps: the zero value of the element's type. Nulls elsewhere are absent
 * fields. And what its encoder makes of quantities and times: they are told in one form.
 *
 * <p>Immutable; the objects passed in are altered.
 */
final class ZeroValues {

    private ZeroValues() {}

    static void fill(ObjectNode object, Type type) {
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            Field field = type.field(entry.getKey());
            if (field != null) {
                fill(entry.getValue(), field, entry::setValue);
            }
        }
    }

    private static void fill(JsonNode value, Field field, Consumer<JsonNode> set) {
        if (field.isList() && value instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                list.set(i, filled(list.path(i), field.type()));
            }
        } else if (field.isMap() && value instanceof ObjectNode map) {
            map.properties().forEach(entry -> entry.setValue(filled(entry.getValue(), field.type())));
        } else if (!value.isNull()) {
            set.accept(filled(value, field.type()));
        }
    }

    private static JsonNode filled(JsonNode value, String type) {
        Type known = Type.find(type);
        if (known != null && value instanceof ObjectNode object) {
            fill(object, known);
        }
        if (value.isTextual() && (type.equals("Time") || type.equals("MicroTime"))) {
            String time = GoTime.inUtc(value.textValue(), type.equals("MicroTime"));
            return time.matches("0001-01-01T00:00:00(\\.0+)?Z")
                    ? JsonNodeFactory.instance.nullNode()
                    : TextNode.valueOf(time);
        }
        if (type.equals("Quantity") && value.isValueNode() && !value.isNull()) {
            return Quantity.parse(value.isNumber() ? value.decimalValue().toPlainString() : value.asText())
                    .<JsonNode>map(quantity -> TextNode.valueOf(quantity.canonical()))
                    .orElse(value);
        }
        return value.isNull() ? zero(type, known) : value;
    }

    private static JsonNode zero(String type, @Nullable Type known) {
        return switch (type) {
            case "s", "y" -> TextNode.valueOf("");
            case "i", "l", "d", "IntOrString" -> IntNode.valueOf(0);
            case "b" -> BooleanNode.FALSE;
            default -> known != null ? JsonNodeFactory.instance.objectNode() : JsonNodeFactory.instance.nullNode();
        };
    }
}
