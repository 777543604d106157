package io.busbar.blueprint.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.busbar.blueprint.types.Shape.ListOf;
import io.busbar.blueprint.types.Shape.MapOf;
import io.busbar.blueprint.types.Shape.ObjectOf;
import io.busbar.blueprint.types.Shape.Scalar;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Shapes from OpenAPI v3 schemas.
 *
 * <p>Any thread. What a schema leaves open is anything; so is an object that keeps unknown fields. An object of which
 * no fields are known is anything in a document, as RawExtension is; in a definition it has none, and keeps none.
 */
public final class SchemaShapes {

    private static final String REFERENCE = "#/components/schemas/";

    private final JsonNode components;
    private final boolean pruned;
    private final Map<String, Shape> named = new ConcurrentHashMap<>();

    private SchemaShapes(JsonNode components, boolean pruned) {
        this.components = components;
        this.pruned = pruned;
    }

    /** @param components what schemas refer to, by name */
    public static SchemaShapes ofDocument(JsonNode components) {
        return new SchemaShapes(components, false);
    }

    /** Of schemas such as a CustomResourceDefinition has: what they do not name is lost. */
    public static SchemaShapes ofDefinition() {
        return new SchemaShapes(MissingNode.getInstance(), true);
    }

    /** @param name of the type, and the beginning of those of the objects in it */
    public Shape shape(JsonNode schema, String name) {
        JsonNode all = schema.path("allOf");
        if (all.size() == 1 && !schema.has("properties")) {
            return shape(all.get(0), name);
        }
        String reference = schema.path("$ref").asText();
        if (reference.startsWith(REFERENCE)) {
            return named(reference.substring(REFERENCE.length()));
        }
        if (schema.path("x-kubernetes-int-or-string").asBoolean()
                || schema.path("format").asText().equals("int-or-string")) {
            return Scalar.INTEGER_OR_TEXT;
        }
        return switch (schema.path("type").asText()) {
            case "string" -> text(schema.path("format").asText());
            case "integer" -> Scalar.INTEGER;
            case "number" -> Scalar.NUMBER;
            case "boolean" -> Scalar.BOOLEAN;
            case "array" -> new ListOf(shape(schema.path("items"), name + ".item"));
            case "object" -> object(schema, name);
            default -> Scalar.ANY;
        };
    }

    private static Shape text(String format) {
        return switch (format) {
            case "byte" -> Scalar.BYTES;
            case "date-time" -> Scalar.TIME;
            default -> Scalar.TEXT;
        };
    }

    private Shape named(String name) {
        if (name.endsWith(".api.resource.Quantity")) {
            return Scalar.QUANTITY;
        }
        if (name.endsWith(".util.intstr.IntOrString")) {
            return Scalar.INTEGER_OR_TEXT;
        }
        if (name.endsWith(".meta.v1.MicroTime")) {
            return Scalar.TEXT; // a time without these digits is refused
        }
        JsonNode schema = components.path(name);
        Shape known = named.get(name);
        if (known == null) {
            known = shape(schema, name);
            named.put(name, known);
        }
        return known;
    }

    private Shape object(JsonNode schema, String name) {
        JsonNode values = schema.path("additionalProperties");
        if (values.isObject()) {
            return new MapOf(shape(values, name + ".value"));
        }
        JsonNode properties = schema.path("properties");
        boolean open = values.asBoolean()
                || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()
                || schema.path("x-kubernetes-embedded-resource").asBoolean();
        if (open || !(pruned || properties.isObject())) {
            return Scalar.ANY;
        }
        return new ObjectOf(name, () -> {
            Map<String, Shape> fields = new LinkedHashMap<>();
            properties
                    .properties()
                    .forEach(property ->
                            fields.put(property.getKey(), shape(property.getValue(), name + "." + property.getKey())));
            return fields;
        });
    }
}
