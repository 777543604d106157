package io.busbar.reconciler.write;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.common.ResourceType;
import io.busbar.reconciler.write.Shape.Merge;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a document of OpenAPI, version 2 or 3, says of how its kinds merge. It is read definition by definition, and all
 * that is ordinary is dropped: some kilobytes are left of megabytes.
 *
 * <p>Immutable. Source of the rules: kube-openapi's {@code schemaconv}, by which the API server itself merges. A list
 * says {@code x-kubernetes-list-type} and {@code x-kubernetes-list-map-keys}; one that does not, and is older, says the
 * same by {@code x-kubernetes-patch-strategy} and {@code x-kubernetes-patch-merge-key}; a list that says nothing is one
 * value.
 */
final class SchemaDocument {

    /** What is known where there is no document. */
    static final SchemaDocument NONE = new SchemaDocument();

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String KINDS = "x-kubernetes-group-version-kind";
    private static final String QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";

    private final Map<String, Shape> definitions = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();

    private SchemaDocument() {}

    /**
     * @throws IOException when this is not JSON
     */
    static SchemaDocument read(byte[] json) throws IOException {
        SchemaDocument document = new SchemaDocument();
        try (JsonParser parser = JSON.createParser(json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                if (field.equals("definitions")) {
                    document.define(parser);
                } else if (field.equals("components")) {
                    document.defineComponents(parser);
                } else {
                    parser.skipChildren();
                }
            }
        }
        return document;
    }

    private void defineComponents(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            if (field.equals("schemas")) {
                define(parser);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void define(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            JsonNode schema = parser.readValueAsTree();
            schema.path(KINDS).forEach(kind -> names.put(key(kind), name));
            Shape shape = name.equals(QUANTITY) ? quantity() : shape(schema);
            if (!shape.isPlain()) {
                definitions.put(name, shape);
            }
        }
    }

    private static String key(JsonNode kind) {
        return kind.path("group").asText() + "/" + kind.path("version").asText() + "/"
                + kind.path("kind").asText();
    }

    /** Empty for a kind that is not in the document. */
    Optional<Shape> of(ResourceType type) {
        return Optional.ofNullable(names.get(type.group() + "/" + type.version() + "/" + type.kind()))
                .map(name -> definition(name).resolved());
    }

    Shape definition(String name) {
        return definitions.getOrDefault(name, Shape.PLAIN);
    }

    private Shape shape(JsonNode schema) {
        Map<String, Shape> fields = new HashMap<>();
        schema.path("properties").properties().forEach(property -> {
            Shape shape = shape(property.getValue());
            if (!shape.isPlain()) {
                fields.put(property.getKey(), shape);
            }
        });
        Shape shape = new Shape(
                merge(schema),
                keys(schema),
                Map.copyOf(fields),
                below(schema.path("additionalProperties")),
                below(schema.path("items")),
                reference(schema),
                schema.get("default"),
                false,
                this);
        return shape.isPlain() ? Shape.PLAIN : shape;
    }

    private Shape quantity() {
        return new Shape(null, List.of(), Map.of(), null, null, null, null, true, this);
    }

    private @Nullable Shape below(JsonNode schema) {
        if (!schema.isObject()) {
            return null;
        }
        Shape shape = shape(schema);
        return shape.isPlain() ? null : shape;
    }

    private static @Nullable Merge merge(JsonNode schema) {
        return switch (schema.path("x-kubernetes-list-type").asText()) {
            case "atomic" -> Merge.WHOLE;
            case "set" -> Merge.SET;
            case "map" -> Merge.KEYED;
            default -> mergeOfOldTerms(schema);
        };
    }

    /** As told by what was there before list types, and for what is no list. */
    private static @Nullable Merge mergeOfOldTerms(JsonNode schema) {
        if (Arrays.asList(schema.path("x-kubernetes-patch-strategy").asText().split(",", -1))
                        .contains("merge")
                && schema.path("type").asText().equals("array")) {
            return schema.has("x-kubernetes-patch-merge-key") ? Merge.KEYED : Merge.SET;
        }
        return switch (schema.path("x-kubernetes-map-type").asText()) {
            case "atomic" -> Merge.WHOLE;
            case "granular" -> Merge.FIELDS;
            // What nothing is known of was one value to the API server once, and is not to newer ones.
            default -> isUnknown(schema) ? Merge.WHOLE : null;
        };
    }

    private static boolean isUnknown(JsonNode schema) {
        return schema.path("x-kubernetes-preserve-unknown-fields").asBoolean() && !schema.has("properties");
    }

    private static List<String> keys(JsonNode schema) {
        List<String> keys = new ArrayList<>();
        schema.path("x-kubernetes-list-map-keys").forEach(key -> keys.add(key.asText()));
        if (keys.isEmpty() && schema.has("x-kubernetes-patch-merge-key")) {
            keys.add(schema.path("x-kubernetes-patch-merge-key").asText());
        }
        return List.copyOf(keys);
    }

    /** Version 3 wraps it, since beside a reference alone nothing else may stand. */
    private static @Nullable String reference(JsonNode schema) {
        String reference = schema.path("$ref").asText(schema.at("/allOf/0/$ref").asText());
        return reference.isEmpty() ? null : reference.substring(reference.lastIndexOf('/') + 1);
    }
}
