package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether a schema is structural: every value has its type outside of {@code allOf}, {@code anyOf}, {@code oneOf} and
 * {@code not}, which only restrict it.
 *
 * <p>One thread, once.
 */
final class StructuralCheck {

    private enum Level {
        ROOT("at the root"),
        ITEM("for specified array items"),
        FIELD("for specified object fields");

        private final String words;

        Level(String words) {
            this.words = words;
        }
    }

    private static final String EXTENSION = "x-kubernetes-";
    /** What has no place in a restriction, by what it has to be there. */
    private static final Map<String, List<String>> OUTSIDE_ONLY = Map.of(
            "must be empty",
            List.of("type", "title", "description", EXTENSION + "list-map-keys", EXTENSION + "validations"),
            "must be undefined",
            List.of("additionalProperties", "default", EXTENSION + "list-type", EXTENSION + "map-type"),
            "must be false",
            List.of(
                    "nullable",
                    EXTENSION + "preserve-unknown-fields",
                    EXTENSION + "embedded-resource",
                    EXTENSION + "int-or-string"));

    private static final Set<String> RESTRICTIONS = Set.of("allOf", "anyOf", "oneOf");

    private final Causes causes = new Causes();

    private StructuralCheck() {}

    static List<FieldCause> of(String path, JsonNode schema) {
        StructuralCheck check = new StructuralCheck();
        check.invariants(path, schema, Level.ROOT);
        check.complete(path, schema, path, schema);
        return check.causes.list().stream()
                .sorted(Comparator.comparing(cause -> cause.field() + ": " + cause.message()))
                .toList();
    }

    private void invariants(String path, JsonNode schema, Level level) {
        String type = schema.path("type").asText("");
        if (type.equals("array") && !schema.has("items")) {
            causes.required(path + ".items", "must be specified");
        }
        if (schema.path("items").isObject()) {
            invariants(path + ".items", schema.path("items"), Level.ITEM);
        }
        schema.path("properties")
                .properties()
                .forEach(property ->
                        invariants(SchemaCheck.property(path, property.getKey()), property.getValue(), Level.FIELD));
        additional(path, schema, level);
        boolean intOrString = flag(schema, "int-or-string");
        boolean preserves = flag(schema, "preserve-unknown-fields");
        boolean embedded = flag(schema, "embedded-resource");
        if (intOrString && preserves) {
            contradiction(path, schema, "x-kubernetes-preserve-unknown-fields");
        }
        if (intOrString && embedded) {
            contradiction(path, schema, "x-kubernetes-embedded-resource");
        }
        restrictions(path, schema, intOrString);
        type(path, type, level, intOrString || preserves, embedded);
        metadata(path, schema, level, embedded);
        if (embedded && !preserves && schema.path("properties").isEmpty()) {
            causes.required(
                    path + ".properties",
                    "must not be empty if x-kubernetes-embedded-resource is true without"
                            + " x-kubernetes-preserve-unknown-fields");
        }
    }

    private void additional(String path, JsonNode schema, Level level) {
        if (!schema.has("additionalProperties")) {
            return;
        }
        if (level == Level.ROOT) {
            causes.forbidden(path + ".additionalProperties", "must not be used at the root");
        }
        if (flag(schema, "embedded-resource")) {
            causes.forbidden(
                    path + ".additionalProperties", "must not be used if x-kubernetes-embedded-resource is set");
        }
        if (schema.path("additionalProperties").isObject()) {
            invariants(path + ".additionalProperties", schema.path("additionalProperties"), Level.FIELD);
        }
    }

    private void contradiction(String path, JsonNode schema, String extension) {
        causes.invalid(
                path + "." + extension, schema.path(extension), "must be false if x-kubernetes-int-or-string is true");
    }

    private void type(String path, String type, Level level, boolean typeless, boolean embedded) {
        if (embedded && !type.equals("object")) {
            String words = "must be object if x-kubernetes-embedded-resource is true";
            if (type.isEmpty()) {
                causes.required(path + ".type", words);
            } else {
                causes.invalid(path + ".type", type, words);
            }
        } else if (type.isEmpty() && !typeless) {
            causes.required(path + ".type", "must not be empty " + level.words);
        }
        if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
            causes.invalid(path + ".type", type, "must be object at the root");
        }
    }

    private void metadata(String path, JsonNode schema, Level level, boolean embedded) {
        if (level != Level.ROOT && !embedded) {
            return;
        }
        JsonNode properties = schema.path("properties");
        for (String name : List.of("kind", "apiVersion")) {
            String type = properties.path(name).path("type").asText("");
            if (properties.has(name) && !type.equals("string")) {
                causes.invalid(SchemaCheck.property(path, name) + ".type", type, "must be string");
            }
        }
        if (properties.has("metadata")) {
            JsonNode metadata = properties.path("metadata");
            String at = SchemaCheck.property(path, "metadata");
            if (!metadata.path("type").asText("").equals("object")) {
                causes.invalid(at + ".type", metadata.path("type").asText(""), "must be object");
            }
            if (level == Level.ROOT && restrictsMore(metadata)) {
                causes.forbidden(
                        at,
                        "must not specify anything other than name and generateName, but metadata is implicitly specified");
            }
        }
    }

    private static boolean restrictsMore(JsonNode metadata) {
        for (String field : (Iterable<String>) metadata::fieldNames) {
            if (!Set.of("type", "properties", "default").contains(field)) {
                return true;
            }
        }
        for (String name : (Iterable<String>) metadata.path("properties")::fieldNames) {
            if (!Set.of("name", "generateName").contains(name)) {
                return true;
            }
        }
        return false;
    }

    /** The two ways to say integer or string beside {@code x-kubernetes-int-or-string} are let through. */
    private void restrictions(String path, JsonNode schema, boolean intOrString) {
        JsonNode anyOf = schema.path("anyOf");
        boolean first =
                intOrString && isIntOrString(schema.path("allOf").path(0).path("anyOf"));
        if (!(intOrString && isIntOrString(anyOf))) {
            each(path, schema, "anyOf", false);
        }
        each(path, schema, "allOf", first);
        each(path, schema, "oneOf", false);
        if (schema.path("not").isObject()) {
            restriction(path + ".not", schema.path("not"), false);
        }
    }

    private void each(String path, JsonNode schema, String kind, boolean intOrStringFirst) {
        for (int i = 0; i < schema.path(kind).size(); i++) {
            restriction(path + "." + kind + "[" + i + "]", schema.path(kind).path(i), intOrStringFirst && i == 0);
        }
    }

    private void restriction(String path, JsonNode schema, boolean mayBeIntOrString) {
        restrictions(path, schema, mayBeIntOrString);
        if (schema.path("items").isObject()) {
            restriction(path + ".items", schema.path("items"), false);
        }
        schema.path("properties")
                .properties()
                .forEach(property ->
                        restriction(SchemaCheck.property(path, property.getKey()), property.getValue(), false));
        OUTSIDE_ONLY.forEach((words, fields) -> fields.stream()
                .filter(field -> isSaid(schema.path(field)))
                .forEach(field -> causes.forbidden(path + "." + field, words + " to be structural")));
        if (schema.path("properties").has("metadata")) {
            causes.forbidden(SchemaCheck.property(path, "metadata"), "must not be specified in a nested context");
        }
    }

    private static boolean isSaid(JsonNode value) {
        return switch (value.getNodeType()) {
            case MISSING -> false;
            case BOOLEAN -> value.asBoolean();
            case STRING -> !value.asText().isEmpty();
            case ARRAY -> !value.isEmpty();
            default -> true;
        };
    }

    /** What a restriction speaks of must be there. */
    private void complete(String path, JsonNode schema, String restrictionPath, JsonNode restriction) {
        for (String kind : RESTRICTIONS.stream().sorted().toList()) {
            for (int i = 0; i < restriction.path(kind).size(); i++) {
                completeIn(
                        path,
                        schema,
                        restrictionPath + "." + kind + "[" + i + "]",
                        restriction.path(kind).path(i));
            }
        }
        if (restriction.path("not").isObject()) {
            completeIn(path, schema, restrictionPath + ".not", restriction.path("not"));
        }
    }

    private void completeIn(String path, JsonNode schema, String restrictionPath, JsonNode restriction) {
        complete(path, schema, restrictionPath, restriction);
        if (restriction.path("items").isObject()) {
            String items = restrictionPath + ".items";
            if (schema.path("items").isObject()) {
                completeIn(path + ".items", schema.path("items"), items, restriction.path("items"));
            } else {
                causes.required(path + ".items", "because it is defined in " + items);
            }
        }
        restriction.path("properties").properties().forEach(property -> {
            String name = property.getKey();
            String at = SchemaCheck.property(restrictionPath, name);
            JsonNode declared = schema.path("properties").path(name);
            if (declared.isMissingNode()) {
                causes.required(SchemaCheck.property(path, name), "because it is defined in " + at);
            } else {
                completeIn(SchemaCheck.property(path, name), declared, at, property.getValue());
            }
        });
    }

    private static boolean isIntOrString(JsonNode anyOf) {
        return anyOf.size() == 2
                && anyOf.path(0).path("type").asText().equals("integer")
                && anyOf.path(1).path("type").asText().equals("string");
    }

    private static boolean flag(JsonNode schema, String extension) {
        return schema.path(EXTENSION + extension).asBoolean();
    }
}
