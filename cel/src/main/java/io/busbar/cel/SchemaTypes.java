package io.busbar.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The CEL types of one schema and all that is below it. What has no schema has no type, and cannot be used.
 *
 * <p>One thread.
 */
public final class SchemaTypes {

    private static final String NAME = "object";

    /** Immutable. */
    private record Provider(ImmutableMap<String, CelType> byName) implements CelTypeProvider {

        @Override
        public ImmutableCollection<CelType> types() {
            return byName.values();
        }

        @Override
        public Optional<CelType> findType(String name) {
            return Optional.ofNullable(byName.get(name));
        }
    }

    private final Map<String, CelType> types = new HashMap<>();

    /** All that were added so far. */
    public CelTypeProvider provider() {
        return new Provider(ImmutableMap.copyOf(types));
    }

    /**
     * Empty for a schema that no rule can be about.
     *
     * @param resource whether it is that of an object with apiVersion, kind and metadata
     */
    public Optional<CelType> add(JsonNode schema, boolean resource) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return Optional.of(SimpleType.DYN);
        }
        return switch (schema.path("type").asText()) {
            case "object" -> object(schema, resource);
            case "array" ->
                add(schema.path("items"), isEmbedded(schema.path("items"))).map(ListType::create);
            case "string" -> Optional.of(text(schema.path("format").asText()));
            case "boolean" -> Optional.of(SimpleType.BOOL);
            case "integer" -> Optional.of(SimpleType.INT);
            case "number" -> Optional.of(SimpleType.DOUBLE);
            default -> Optional.empty();
        };
    }

    private Optional<CelType> object(JsonNode schema, boolean resource) {
        JsonNode additional = schema.path("additionalProperties");
        if (additional.isObject()) {
            return add(additional, isEmbedded(additional)).map(values -> MapType.create(SimpleType.STRING, values));
        }
        Map<String, CelType> fields = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            JsonNode value = property.getValue();
            FieldNames.of(property.getKey())
                    .ifPresent(name -> add(value, isEmbedded(value)).ifPresent(type -> fields.put(name, type)));
        }
        if (resource) {
            fields.put("apiVersion", SimpleType.STRING);
            fields.put("kind", SimpleType.STRING);
            fields.put("metadata", struct(Map.of("name", SimpleType.STRING, "generateName", SimpleType.STRING)));
        }
        return Optional.of(struct(fields));
    }

    private StructType struct(Map<String, CelType> typesByField) {
        ImmutableMap<String, CelType> fields = ImmutableMap.copyOf(typesByField);
        StructType type = StructType.create(
                NAME + types.size(), fields.keySet(), field -> Optional.ofNullable(fields.get(field)));
        types.put(type.name(), type);
        return type;
    }

    private static CelType text(String format) {
        return switch (format) {
            case "byte" -> SimpleType.BYTES;
            case "duration" -> SimpleType.DURATION;
            case "date", "date-time" -> SimpleType.TIMESTAMP;
            default -> SimpleType.STRING;
        };
    }

    public static boolean isEmbedded(JsonNode schema) {
        return schema.path("x-kubernetes-embedded-resource").asBoolean();
    }
}
