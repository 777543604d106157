package io.busbar.sandbox.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.cel.FieldNames;
import io.busbar.cel.SchemaTypes;
import java.util.List;
import java.util.Optional;

/**
 * How large the values of a schema can be, by its own limits or by those of a request.
 *
 * <p>Immutable. Sizes are what {@code size()} tells: characters, items or entries; zero for what has no size. From
 * apiserver's {@code cel/common/schemas.go}.
 */
final class SchemaSizes {

    private static final long REQUEST_BYTES = 3L * 1024 * 1024;
    private static final long LONGEST_TEXT = REQUEST_BYTES - 2;

    private final JsonNode root;

    /** @param resource whether its values are objects with apiVersion, kind and metadata */
    SchemaSizes(JsonNode schema, boolean resource) {
        this.root = whole(schema, resource);
    }

    /** How often a value can be in one object at most, when no list or map above it has a limit. */
    long mostOccurrences() {
        return REQUEST_BYTES / (leastBytes(root) + 1);
    }

    /**
     * Empty for what the schema does not know.
     *
     * @param path a variable, then names of fields as expressions have them, {@code @items}, {@code @values} or
     *     {@code @keys}
     */
    Optional<Range> at(List<String> path) {
        if (path.isEmpty()) {
            return Optional.empty();
        }
        JsonNode schema = root;
        for (String name : path.subList(1, path.size())) {
            JsonNode values = schema.path("additionalProperties");
            if (name.equals("@keys") && values.isObject()) {
                return Optional.of(Range.NONE);
            }
            schema = switch (name) {
                case "@items" -> schema.path("items");
                case "@values" -> values;
                default ->
                    values.isObject()
                            ? values.path("")
                            : schema.path("properties").path(FieldNames.property(name));
            };
            if (!schema.isObject()) {
                return Optional.empty();
            }
            schema = whole(schema, SchemaTypes.isEmbedded(schema));
        }
        return Optional.of(new Range(0, most(schema)));
    }

    private static JsonNode whole(JsonNode schema, boolean resource) {
        if (!resource) {
            return schema;
        }
        ObjectNode whole = schema.deepCopy();
        ObjectNode properties = whole.withObjectProperty("properties");
        properties.putObject("apiVersion").put("type", "string");
        properties.putObject("kind").put("type", "string");
        ObjectNode metadata = properties.putObject("metadata").put("type", "object");
        metadata.putObject("properties").putObject("name").put("type", "string");
        metadata.withObjectProperty("properties").putObject("generateName").put("type", "string");
        return whole;
    }

    private static long most(JsonNode schema) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return limit(schema, "maxLength", LONGEST_TEXT / 4) * 4;
        }
        JsonNode values = schema.path("additionalProperties");
        return switch (schema.path("type").asText()) {
            case "array" -> limit(schema, "maxItems", LONGEST_TEXT / (leastBytes(schema.path("items")) + 1));
            case "object" ->
                values.isObject() ? limit(schema, "maxProperties", LONGEST_TEXT / (leastBytes(values) + 6)) : 0;
            case "string" -> mostText(schema);
            default -> 0;
        };
    }

    /** A limit is in characters, of up to four bytes; without one it is in bytes. */
    private static long mostText(JsonNode schema) {
        return switch (schema.path("format").asText()) {
            case "byte" -> limit(schema, "maxLength", LONGEST_TEXT);
            case "duration", "date-time" -> 32;
            case "date" -> 12;
            default -> {
                long longest = 0;
                for (JsonNode value : schema.path("enum")) {
                    longest = Math.max(longest, value.asText().length());
                }
                yield schema.has("maxLength")
                        ? limit(schema, "maxLength", 0) * 4
                        : schema.path("enum").isEmpty() ? LONGEST_TEXT : longest;
            }
        };
    }

    private static long limit(JsonNode schema, String name, long otherwise) {
        return schema.has(name) ? Math.max(0, schema.path(name).asLong()) : otherwise;
    }

    /** Of the shortest value, as JSON. */
    private static long leastBytes(JsonNode schema) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return 1;
        }
        return switch (schema.path("type").asText()) {
            case "boolean" -> 4;
            case "integer", "number" -> 1;
            case "string" ->
                switch (schema.path("format").asText()) {
                    case "duration" -> 3;
                    case "date" -> 12;
                    case "date-time" -> 21;
                    default -> 2;
                };
            case "object" -> 2 + leastBytesOfFields(schema);
            default -> 2;
        };
    }

    private static long leastBytesOfFields(JsonNode schema) {
        long bytes = 0;
        for (JsonNode required : schema.path("required")) {
            JsonNode field = schema.path("properties").path(required.asText());
            if (field.isObject() && !field.has("default")) {
                bytes += required.asText().length() + leastBytes(field) + 4;
            }
        }
        return bytes;
    }
}
