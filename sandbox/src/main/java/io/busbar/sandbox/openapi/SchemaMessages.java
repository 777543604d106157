package io.busbar.sandbox.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.wire.WireWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes schemas as the protocol buffers of gnostic's {@code openapiv2.proto}, whose field numbers these are.
 *
 * <p>Any thread. What the second version of OpenAPI does not have is left out, and what would be checked too strictly
 * then is left open, as kube-apiserver does with the schemas of CRDs.
 */
final class SchemaMessages {

    private static final Set<String> EXTENSIONS =
            Set.of(SchemaDefinitions.KIND, "x-kubernetes-patch-merge-key", "x-kubernetes-patch-strategy");

    private SchemaMessages() {}

    /** A map of schemas by name: {@code Definitions} or {@code Properties}. */
    static WireWriter map(JsonNode schemas) {
        WireWriter map = new WireWriter();
        for (Map.Entry<String, JsonNode> schema : schemas.properties()) {
            map.message(1, new WireWriter().text(1, schema.getKey()).message(2, schema(schema.getValue())));
        }
        return map;
    }

    private static WireWriter schema(JsonNode schema) {
        WireWriter message = new WireWriter();
        text(message, 1, schema.path("$ref"));
        text(message, 4, schema.path("description"));
        if (!isOpen(schema)) {
            text(message, 2, schema.path("format"));
            schema.path("required").forEach(name -> message.text(19, name.asText()));
            JsonNode additional = schema.path("additionalProperties");
            if (additional.isObject()) {
                message.message(21, new WireWriter().message(1, schema(additional)));
            }
            String type = schema.path("type").asText(schema.has("oneOf") ? "string" : "");
            if (!type.isEmpty()) {
                message.message(22, new WireWriter().text(1, type));
            }
            if (schema.path("items").isObject()) {
                message.message(23, new WireWriter().message(1, schema(schema.path("items"))));
            }
            if (schema.path("properties").isObject()) {
                message.message(25, map(schema.path("properties")));
            }
        }
        for (Map.Entry<String, JsonNode> field : schema.properties()) {
            if (EXTENSIONS.contains(field.getKey())) {
                message.message(31, extension(field.getKey(), field.getValue()));
            }
        }
        return message;
    }

    /** Whether it takes more than the second version can say. */
    static boolean isOpen(JsonNode schema) {
        return schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()
                || schema.path("x-kubernetes-int-or-string").asBoolean()
                || schema.path("nullable").asBoolean();
    }

    static WireWriter extension(String name, JsonNode value) {
        // What is JSON is YAML.
        return new WireWriter().text(1, name).message(2, new WireWriter().text(2, value.toString()));
    }

    private static void text(WireWriter message, int field, JsonNode value) {
        if (value.isTextual()) {
            message.text(field, value.asText());
        }
    }

    /** The same in JSON: open schemas lose all that would be checked. */
    static void open(ObjectNode schema) {
        if (schema.has("oneOf") && !schema.has("type")) {
            schema.put("type", "string");
        }
        schema.remove(List.of("nullable", "default", "oneOf", "anyOf", "allOf", "not"));
        if (isOpen(schema)) {
            schema.remove(List.of("type", "format", "properties", "items", "required", "additionalProperties"));
        }
        schema.path("properties").forEach(SchemaMessages::openAny);
        openAny(schema.path("items"));
        openAny(schema.path("additionalProperties"));
    }

    private static void openAny(JsonNode schema) {
        if (schema instanceof ObjectNode object) {
            open(object);
        }
    }
}
