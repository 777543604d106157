package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.status.Causes;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the fields that are null where null is not allowed, and no default takes its place. One thread. */
record ForbiddenNulls(boolean containers, Causes causes) {

    private static final Set<String> CONTAINERS = Set.of("object", "array");

    void find(String path, JsonNode value, StructuralSchema schema) {
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            StructuralSchema property = schema.of(field.getKey());
            String below = Validation.child(path, field.getKey());
            if (property == null) {
                continue;
            }
            if (!isForbidden(field.getValue(), property)) {
                find(below, field.getValue(), property);
            } else if (property.defaultValue() == null
                    && !property.type().isEmpty()
                    && (containers || !CONTAINERS.contains(property.type()))) {
                causes.add(Validation.wrongType(below, field.getValue(), property.type()));
            }
        }
        StructuralSchema items = schema.items();
        for (int i = 0; items != null && value.isArray() && i < value.size(); i++) {
            find(path + "[" + i + "]", value.get(i), items);
        }
    }

    static boolean isForbidden(JsonNode value, @Nullable StructuralSchema schema) {
        return value.isNull() && schema != null && !schema.isNullable();
    }
}
