package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
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
        prune(object, schema, true, "", null);
    }

    static void applyToValue(JsonNode value, StructuralSchema schema) {
        prune(value, schema, schema.isEmbedded(), "", null);
    }

    /** Paths of what {@link #apply} would drop, in order. */
    static List<String> unknown(JsonNode object, StructuralSchema schema) {
        List<String> unknown = new ArrayList<>();
        prune(object, schema, true, "", unknown);
        unknown.sort(null);
        return unknown;
    }

    /** @param unknown gets the paths of what is not known, which then stays; null to drop it */
    private static void prune(
            JsonNode value,
            @Nullable StructuralSchema schema,
            boolean resource,
            String path,
            @Nullable List<String> unknown) {
        if (value instanceof ObjectNode object) {
            object.properties().removeIf(field -> {
                String below = unknown == null ? "" : path.isEmpty() ? field.getKey() : path + "." + field.getKey();
                boolean drops = isUnknown(field, schema, resource, below, unknown);
                if (drops && unknown != null) {
                    unknown.add(below);
                }
                return drops && unknown == null;
            });
        } else if (value.isArray() && !(schema != null && schema.items() == null && schema.preservesUnknown())) {
            StructuralSchema items = schema == null ? null : schema.items();
            for (int i = 0; i < value.size(); i++) {
                String below = unknown == null ? "" : path + "[" + i + "]";
                prune(value.get(i), items, items != null && items.isEmbedded(), below, unknown);
            }
        }
    }

    private static void pruneMetadata(ObjectNode metadata, String path, @Nullable List<String> unknown) {
        if (unknown == null) {
            metadata.retain(METADATA);
            return;
        }
        metadata.fieldNames().forEachRemaining(field -> {
            if (!METADATA.contains(field)) {
                unknown.add(path + "." + field);
            }
        });
    }

    /** Prunes below what stays. */
    private static boolean isUnknown(
            Map.Entry<String, JsonNode> field,
            @Nullable StructuralSchema schema,
            boolean resource,
            String path,
            @Nullable List<String> unknown) {
        if (resource && EVERY_OBJECT_HAS.contains(field.getKey())) {
            if (schema != null && schema.isEmbedded() && field.getValue() instanceof ObjectNode metadata) {
                pruneMetadata(metadata, path, unknown);
            }
            return false;
        }
        if (schema == null) {
            return true;
        }
        StructuralSchema property = schema.of(field.getKey());
        if (property != null || schema.takesAnyProperty()) {
            prune(field.getValue(), property, property != null && property.isEmbedded(), path, unknown);
            return false;
        }
        return !schema.preservesUnknown();
    }
}
