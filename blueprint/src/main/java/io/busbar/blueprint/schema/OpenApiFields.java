package io.busbar.blueprint.schema;

import io.busbar.blueprint.source.SourceNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Fields of SimpleSchema that are written as OpenAPI, and what to write in place of that.
 *
 * <p>Any thread. A map whose fields are just called as those of OpenAPI are is none.
 */
final class OpenApiFields {

    private static final Map<String, String> SCALARS =
            Map.of("string", "string", "integer", "integer", "number", "float", "boolean", "boolean");
    private static final Set<String> SCHEMAS = Set.of("properties", "items", "additionalProperties");
    private static final Set<String> MARKERS = Set.of(
            "default",
            "enum",
            "minimum",
            "maximum",
            "pattern",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "uniqueItems",
            "description");
    private static final Set<String> OTHERS = Set.of("type", "format", "title", "nullable", "required", "example");

    private OpenApiFields() {}

    /**
     * What to write in place of a map; empty for one that is no OpenAPI.
     *
     * @param types of one's own, by name
     */
    static Optional<String> instead(SourceNode map, Set<String> types) {
        boolean known = map.names().stream()
                .allMatch(name -> SCHEMAS.contains(name) || MARKERS.contains(name) || OTHERS.contains(name));
        String type = map.text("type");
        boolean any = map.entries().stream().anyMatch(field -> isNoType(field.getKey(), field.getValue(), type, types));
        return known && any && isSchema(map) ? Optional.of(written(map)) : Optional.empty();
    }

    private static boolean isSchema(SourceNode node) {
        String type = node.text("type");
        return SCALARS.containsKey(type) || type.equals("object") || type.equals("array");
    }

    /** @param whole the type of the schema, if it is one: what belongs to other types is just called so */
    private static boolean isNoType(String name, SourceNode value, String whole, Set<String> types) {
        if (value.isMap()) {
            return switch (name) {
                case "properties" ->
                    whole.equals("object") && value.fields().stream().allMatch(OpenApiFields::isSchema);
                case "items" -> whole.equals("array") && isSchema(value);
                case "additionalProperties" -> whole.equals("object") && isSchema(value);
                default -> name.equals("default") && whole.equals("object");
            };
        }
        String type = value.text().replaceFirst("\\|.*", "").strip();
        boolean simple = SCALARS.containsValue(type)
                || type.equals("object")
                || type.startsWith("[]")
                || type.startsWith("map[")
                || types.contains(type);
        return !value.isText() || (!simple && !name.equals("type"));
    }

    private static String written(SourceNode schema) {
        if (schema.field("properties").isPresent()) {
            return "the fields that stand in 'properties'";
        }
        String markers = schema.entries().stream()
                .filter(field -> MARKERS.contains(field.getKey()))
                .map(field -> " " + field.getKey() + "=" + value(field.getValue()))
                .collect(Collectors.joining());
        return type(schema) + (markers.isEmpty() ? "" : " |" + markers);
    }

    private static String type(SourceNode schema) {
        String type = schema.text("type");
        return switch (type) {
            case "array" ->
                "[]" + schema.field("items").map(OpenApiFields::type).orElse("string");
            case "object" ->
                schema.field("additionalProperties")
                        .map(values -> "map[string]" + type(values))
                        .orElse("object");
            default -> SCALARS.getOrDefault(type, "string");
        };
    }

    private static String value(SourceNode value) {
        boolean ofTexts = value.isList() && value.items().stream().allMatch(SourceNode::isText);
        return ofTexts
                ? "\"" + String.join(",", texts(value.items())) + "\""
                : value.json().toString();
    }

    private static List<String> texts(List<SourceNode> nodes) {
        return nodes.stream().map(SourceNode::text).toList();
    }
}
