package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Whether a schema uses only what the API server supports of OpenAPI, and its extensions as they are meant. One thread,
 * once.
 */
final class OpenApiCheck {

    private static final List<String> TYPES = List.of("array", "boolean", "integer", "number", "object", "string");
    private static final Set<String> META = Set.of("metadata", "kind", "apiVersion");
    private static final Map<String, String> UNSUPPORTED = new TreeMap<>(Map.of(
            "id", "id is not supported",
            "additionalItems", "additionalItems is not supported",
            "patternProperties", "patternProperties is not supported",
            "definitions", "definitions is not supported",
            "dependencies", "dependencies is not supported",
            "$ref", "$ref is not supported"));

    private final Causes causes = new Causes();

    private boolean unstructured;

    private OpenApiCheck() {}

    static OpenApiCheck of(String path, JsonNode schema) {
        OpenApiCheck check = new OpenApiCheck();
        check.walk(path, schema, true, "");
        return check;
    }

    List<FieldCause> causes() {
        return causes.list();
    }

    /** Whether it has nothing that no structural schema can have. */
    boolean canBeStructural() {
        return !unstructured;
    }

    /** @param noDefaults why defaults are not allowed here; empty where they are */
    private void walk(String path, JsonNode schema, boolean root, String noDefaults) {
        keywords(path, schema, noDefaults);
        JsonNode additional = schema.path("additionalProperties");
        if (!schema.path("properties").isEmpty()
                && !additional.isMissingNode()
                && !(additional.isBoolean() && additional.asBoolean())) {
            causes.forbidden(
                    path + ".additionalProperties", "additionalProperties and properties are mutual exclusive");
        }
        if (additional.isObject()) {
            walk(path + ".additionalProperties", additional, false, noDefaults);
        }
        schema.path("properties").properties().forEach(property -> {
            String name = property.getKey();
            boolean meta = root && META.contains(name);
            walk(
                    SchemaCheck.property(path, name),
                    property.getValue(),
                    false,
                    meta ? "in top-level " + name : noDefaults);
        });
        for (String kind : List.of("allOf", "oneOf", "anyOf")) {
            for (int i = 0; i < schema.path(kind).size(); i++) {
                walk(path + "." + kind + "[" + i + "]", schema.path(kind).path(i), false, noDefaults);
            }
        }
        for (String kind : List.of("not", "items")) {
            if (schema.path(kind).isObject()) {
                walk(path + "." + kind, schema.path(kind), false, noDefaults);
            }
        }
        extensions(path, schema);
    }

    private void keywords(String path, JsonNode schema, String noDefaults) {
        String type = schema.path("type").asText("");
        if (!type.isEmpty() && !TYPES.contains(type)) {
            causes.unsupported(path + ".type", TextNode.valueOf(type), TYPES);
        }
        if (schema.has("default") && !noDefaults.isEmpty()) {
            causes.forbidden(path + ".default", "must not be set " + noDefaults);
        }
        UNSUPPORTED.forEach((keyword, words) -> {
            if (schema.has(keyword)) {
                unstructured = true;
                causes.forbidden(path + "." + keyword, words);
            }
        });
        if (type.equals("null")) {
            causes.forbidden(path + ".type", "type cannot be set to null, use nullable as an alternative");
        }
        if (schema.path("items").isArray()) {
            causes.forbidden(path + ".items", "items must be a schema object and not an array");
        }
        if (schema.path("uniqueItems").asBoolean()) {
            causes.forbidden(
                    path + ".uniqueItems",
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
        }
        String pattern = schema.path("pattern").asText("");
        try {
            Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            causes.invalid(
                    path + ".pattern", pattern, "must be a valid regular expression, but isn't: " + e.getMessage());
        }
    }

    private void extensions(String path, JsonNode schema) {
        JsonNode preserve = schema.path("x-kubernetes-preserve-unknown-fields");
        if (preserve.isBoolean() && !preserve.asBoolean()) {
            causes.invalid(path + ".x-kubernetes-preserve-unknown-fields", preserve, "must be true or undefined");
        }
        kindOf(path, schema, "x-kubernetes-map-type", "object", List.of("atomic", "granular"));
        kindOf(path, schema, "x-kubernetes-list-type", "array", List.of("atomic", "set", "map"));
        JsonNode items = schema.path("items");
        String listType = schema.path("x-kubernetes-list-type").asText("");
        if (listType.equals("set")) {
            setItems(path + ".items", items);
        }
        if (!schema.path("x-kubernetes-list-map-keys").isEmpty() && !listType.equals("map")) {
            String words = "must be map if x-kubernetes-list-map-keys is non-empty";
            if (listType.isEmpty()) {
                causes.required(path + ".x-kubernetes-list-type", words);
            } else {
                causes.invalid(path + ".x-kubernetes-list-type", listType, words);
            }
        }
        if (listType.equals("map")) {
            map(path, schema);
        }
        if (items.isObject() && Set.of("set", "map").contains(listType)) {
            if (items.path("nullable").asBoolean()) {
                causes.forbidden(
                        path + ".items.nullable", "cannot be nullable when x-kubernetes-list-type is " + listType);
            }
            if (listType.equals("map")) {
                keysAreThere(path + ".items", schema);
            }
        }
    }

    private void kindOf(String path, JsonNode schema, String extension, String type, List<String> values) {
        String value = schema.path(extension).asText("");
        String actual = schema.path("type").asText("");
        if (value.isEmpty()) {
            return;
        }
        if (!actual.equals(type)) {
            String words = "must be " + type + " if " + extension + " is specified";
            if (actual.isEmpty()) {
                causes.required(path + ".type", words);
            } else {
                causes.invalid(path + ".type", actual, words);
            }
        }
        if (!values.contains(value)) {
            causes.unsupported(path + "." + extension, schema.path(extension), values);
        }
    }

    private void setItems(String path, JsonNode items) {
        String list = items.path("x-kubernetes-list-type").asText("atomic");
        String map = items.path("x-kubernetes-map-type").asText("");
        String words = "must be atomic as item of a list with x-kubernetes-list-type=set";
        if (items.path("type").asText().equals("array") && !list.equals("atomic")) {
            causes.invalid(path + ".x-kubernetes-list-type", list, words);
        } else if (items.path("type").asText().equals("object") && !map.equals("atomic")) {
            causes.invalid(path + ".x-kubernetes-map-type", items.path("x-kubernetes-map-type"), words);
        }
    }

    private void map(String path, JsonNode schema) {
        JsonNode keys = schema.path("x-kubernetes-list-map-keys");
        JsonNode items = schema.path("items");
        if (keys.isEmpty()) {
            causes.required(path + ".x-kubernetes-list-map-keys", "must not be empty if x-kubernetes-list-type is map");
        }
        if (items.isMissingNode()) {
            causes.required(path + ".items", "must have a schema if x-kubernetes-list-type is map");
            return;
        }
        if (!items.path("type").asText().equals("object")) {
            causes.invalid(
                    path + ".items.type",
                    items.path("type").asText(""),
                    "must be object if parent array's x-kubernetes-list-type is map");
            return;
        }
        Set<String> seen = new HashSet<>();
        for (JsonNode key : keys) {
            JsonNode property = items.path("properties").path(key.asText());
            if (property.isMissingNode()) {
                causes.invalid(
                        path + ".x-kubernetes-list-map-keys", keys, "entries must all be names of item properties");
            } else if (Set.of("array", "object").contains(property.path("type").asText())) {
                causes.invalid(
                        SchemaCheck.property(path + ".items", key.asText()) + ".type",
                        "object",
                        "must be a scalar type if parent array's x-kubernetes-list-type is map");
            }
            if (!seen.add(key.asText())) {
                causes.invalid(path + ".x-kubernetes-list-map-keys", keys, "must not contain duplicate entries");
            }
        }
    }

    private void keysAreThere(String path, JsonNode schema) {
        JsonNode items = schema.path("items");
        Set<String> required = new HashSet<>();
        items.path("required").forEach(name -> required.add(name.asText()));
        for (JsonNode key : schema.path("x-kubernetes-list-map-keys")) {
            JsonNode property = items.path("properties").path(key.asText());
            String at = SchemaCheck.property(path, key.asText());
            if (property.isMissingNode()) {
                continue;
            }
            if (!required.contains(key.asText()) && !property.has("default")) {
                causes.required(
                        at + ".default",
                        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required"
                                + " property");
            }
            if (property.path("nullable").asBoolean()) {
                causes.forbidden(
                        at + ".nullable", "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
            }
        }
    }
}
