package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Drops what a schema does not know, in place. Any thread. */
final class Pruning {

    private static final Set<String> EVERY_OBJECT_HAS = Set.of("apiVersion", "kind", "metadata");
    private static final Set<String> METADATA = Set.of(
            "name",
            "generateName",
            "namespace",
            "selfLink",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "labels",
            "annotations",
            "ownerReferences",
            "finalizers",
            "clusterName",
            "managedFields");

    private Pruning() {}

    static void apply(JsonNode object, StructuralSchema schema) {
        prune(object, schema, true);
    }

    static void applyToValue(JsonNode value, StructuralSchema schema) {
        prune(value, schema, schema.isEmbedded());
    }

    private static void prune(JsonNode value, @Nullable StructuralSchema schema, boolean resource) {
        if (value instanceof ObjectNode object) {
            object.properties().removeIf(field -> isUnknown(field, schema, resource));
        } else if (value.isArray() && !(schema != null && schema.items() == null && schema.preservesUnknown())) {
            StructuralSchema items = schema == null ? null : schema.items();
            value.forEach(item -> prune(item, items, items != null && items.isEmbedded()));
        }
    }

    /** Prunes below what stays. */
    private static boolean isUnknown(
            Map.Entry<String, JsonNode> field, @Nullable StructuralSchema schema, boolean resource) {
        if (resource && EVERY_OBJECT_HAS.contains(field.getKey())) {
            if (schema != null && schema.isEmbedded() && field.getValue() instanceof ObjectNode metadata) {
                metadata.retain(METADATA);
            }
            return false;
        }
        if (schema == null) {
            return true;
        }
        StructuralSchema property = schema.of(field.getKey());
        if (property != null) {
            prune(field.getValue(), property, property.isEmbedded());
            return false;
        }
        return !schema.takesAnyProperty() && !schema.preservesUnknown();
    }
}
