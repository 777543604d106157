package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Fills in defaults, and drops nulls where null is not allowed, in place. Any thread. */
final class Defaulting {

    private Defaulting() {}

    static void apply(JsonNode value, StructuralSchema schema) {
        if (value instanceof ObjectNode object) {
            object.properties()
                    .removeIf(field -> ForbiddenNulls.isForbidden(field.getValue(), schema.of(field.getKey())));
            for (Map.Entry<String, StructuralSchema> property :
                    schema.properties().entrySet()) {
                JsonNode standard = property.getValue().defaultValue();
                if (standard != null && !object.has(property.getKey())) {
                    object.set(property.getKey(), standard.deepCopy());
                }
            }
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                StructuralSchema property = schema.of(field.getKey());
                if (property != null) {
                    apply(field.getValue(), property);
                }
            }
        } else if (value instanceof ArrayNode list && schema.items() != null) {
            applyToItems(list, schema.items());
        }
    }

    private static void applyToItems(ArrayNode list, StructuralSchema schema) {
        for (int i = 0; i < list.size(); i++) {
            if (ForbiddenNulls.isForbidden(list.get(i), schema) && schema.defaultValue() != null) {
                list.set(i, schema.defaultValue().deepCopy());
            }
            apply(list.get(i), schema);
        }
    }
}
