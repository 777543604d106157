package io.busbar.sandbox.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.apply.ListTopology;
import io.busbar.sandbox.patch.MergeKeys;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.wire.WireMessages;
import io.busbar.sandbox.wire.WireMessages.Field;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The schemas of kinds, and of all that they are made of.
 *
 * <p>One thread.
 */
final class SchemaDefinitions {

    static final String KIND = "x-kubernetes-group-version-kind";

    private static final String MERGE_KEY = "x-kubernetes-patch-merge-key";
    private static final String STRATEGY = "x-kubernetes-patch-strategy";
    private static final String LIST_TYPE = "x-kubernetes-list-type";
    private static final String LIST_KEYS = "x-kubernetes-list-map-keys";
    private static final String MAP_TYPE = "x-kubernetes-map-type";
    private static final String QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";
    /** Objects whose other fields go when one is set; by the message and field that hold them. */
    private static final Set<String> ONE_OF = Set.of("core.v1.PodSpec.volumes", "apps.v1.DeploymentSpec.strategy");

    private final ObjectNode schemas = JsonNodeFactory.instance.objectNode();
    private final Function<String, ObjectNode> reference;
    private final Deque<String> waiting = new ArrayDeque<>();

    /** @param reference refers to a definition by its name */
    SchemaDefinitions(Function<String, ObjectNode> reference) {
        this.reference = reference;
    }

    /** By name. */
    ObjectNode schemas() {
        return schemas;
    }

    /** Adds a built-in kind. */
    void add(Resource resource) {
        String message = DefinitionNames.message(resource);
        if (!WireMessages.isKnown(message)) {
            schemas.putObject(DefinitionNames.of(resource)).put("type", "object");
        }
        waiting.add(message);
        define();
        mark(message, resource.rules().mergeKeys(), resource.rules().lists(), new LinkedHashSet<>());
        kind(DefinitionNames.of(resource), resource);
    }

    /**
     * Adds a custom kind.
     *
     * @param schema as its CRD has it; missing when it has none
     */
    void add(Resource resource, JsonNode schema) {
        ObjectNode definition = schema instanceof ObjectNode object ? object.deepCopy() : schemas.objectNode();
        definition.put("type", "object");
        if (!definition.path("x-kubernetes-preserve-unknown-fields").asBoolean() && definition.has("properties")) {
            ObjectNode properties = definition.withObjectProperty("properties");
            head(properties);
            properties.set("metadata", reference.apply(DefinitionNames.of(DefinitionNames.OBJECT_META)));
        }
        schemas.set(DefinitionNames.of(resource), definition);
        waiting.add(DefinitionNames.OBJECT_META);
        define();
        kind(DefinitionNames.of(resource), resource);
    }

    private void kind(String name, Resource resource) {
        describe(schemas.withObjectProperty(name).withArrayProperty(KIND).addObject(), resource);
    }

    static void describe(ObjectNode node, Resource resource) {
        node.put("group", resource.type().group())
                .put("kind", resource.type().kind())
                .put("version", resource.type().version());
    }

    private void define() {
        while (!waiting.isEmpty()) {
            String message = waiting.remove();
            String name = DefinitionNames.of(message);
            if (!schemas.has(name) && WireMessages.isKnown(message)) {
                define(schemas.putObject(name).put("type", "object"), message);
            }
        }
    }

    private void define(ObjectNode definition, String message) {
        Map<String, Field> fields = WireMessages.named(message);
        ObjectNode properties = JsonNodeFactory.instance.objectNode();
        if (fields.containsKey("metadata") && !message.endsWith("Template") && !message.endsWith("TemplateSpec")) {
            head(properties);
        }
        fields.values().forEach(field -> properties.set(field.name(), property(field)));
        List<String> required = fields.values().stream()
                .filter(Field::required)
                .map(Field::name)
                .toList();
        if (!required.isEmpty()) {
            required.forEach(definition.putArray("required")::add);
        }
        if (!properties.isEmpty()) {
            definition.set("properties", properties);
        }
    }

    private static void head(ObjectNode properties) {
        properties.putObject("apiVersion").put("type", "string");
        properties.putObject("kind").put("type", "string");
    }

    private ObjectNode property(Field field) {
        ObjectNode value = value(field.type());
        ObjectNode property = JsonNodeFactory.instance.objectNode();
        if (field.repeated()) {
            property.put("type", "array").set("items", value);
        } else if (field.map()) {
            property.put("type", "object").set("additionalProperties", value);
        } else {
            return value;
        }
        return property;
    }

    private ObjectNode value(String type) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        return switch (type) {
            case "s", "Duration" -> schema.put("type", "string");
            case "Quantity" -> {
                schemas.withObjectProperty(QUANTITY).put("type", "string");
                yield reference.apply(QUANTITY);
            }
            case "i" -> schema.put("type", "integer").put("format", "int32");
            case "l" -> schema.put("type", "integer").put("format", "int64");
            case "b" -> schema.put("type", "boolean");
            case "d" -> schema.put("type", "number").put("format", "double");
            case "y" -> schema.put("type", "string").put("format", "byte");
            case "Time", "MicroTime" -> schema.put("type", "string").put("format", "date-time");
            case "IntOrString" -> schema.put("type", "string").put("format", "int-or-string");
            case "Raw" -> schema.put("type", "object");
            case "Items" -> {
                schema.put("type", "array").putObject("items").put("type", "string");
                yield schema;
            }
            case "Json", "SchemaOrArray", "SchemaOrBool", "SchemaOrStrings" -> schema;
            default -> {
                waiting.add(type);
                yield reference.apply(DefinitionNames.of(type));
            }
        };
    }

    /** Tells how lists merge, which is the same wherever a message occurs. */
    private void mark(String message, MergeKeys keys, ListTopology lists, Set<String> seen) {
        if (!WireMessages.isKnown(message) || !seen.add(message)) {
            return;
        }
        ObjectNode properties =
                schemas.withObjectProperty(DefinitionNames.of(message)).withObjectProperty("properties");
        for (Field field : WireMessages.named(message).values()) {
            MergeKeys below = keys.field(field.name());
            ObjectNode property = properties.withObjectProperty(field.name());
            String retains = ONE_OF.contains(message + "." + field.name()) ? "retainKeys" : "";
            String key = below.mergeKey();
            if (key != null) {
                property.put(MERGE_KEY, key);
            }
            if (key != null || (field.repeated() && below.mergesScalars())) {
                property.put(STRATEGY, retains.isEmpty() ? "merge" : "merge," + retains);
            } else if (!retains.isEmpty()) {
                property.put(STRATEGY, retains);
            }
            ListTopology within = lists.field(field.name());
            markApply(field, property, within);
            mark(
                    field.type(),
                    field.repeated() ? below.items() : below,
                    field.repeated() ? within.items() : within,
                    seen);
        }
    }

    /** The same for server-side apply; a list that says nothing is one value. */
    private void markApply(Field field, ObjectNode property, ListTopology lists) {
        if (field.repeated() && lists.form() == ListTopology.Form.SET) {
            property.put(LIST_TYPE, "set");
        } else if (field.repeated() && lists.form() == ListTopology.Form.MAP) {
            property.put(LIST_TYPE, "map");
            lists.keys().forEach(property.putArray(LIST_KEYS)::add);
            markDefaults(field.type(), lists);
        } else if (!field.repeated() && lists.form() == ListTopology.Form.ATOMIC) {
            property.put(MAP_TYPE, "atomic");
        }
    }

    /** What an item of a list counts as having where a key is left out, unless that is nothing. */
    private void markDefaults(String item, ListTopology lists) {
        ObjectNode properties = schemas.path(DefinitionNames.of(item)).path("properties") instanceof ObjectNode object
                ? object
                : schemas.objectNode();
        for (String key : lists.keys()) {
            JsonNode standard = lists.keyDefault(key);
            if (standard != null
                    && !standard.asText().isEmpty()
                    && properties.get(key) instanceof ObjectNode property) {
                property.set("default", standard);
            }
        }
    }
}
