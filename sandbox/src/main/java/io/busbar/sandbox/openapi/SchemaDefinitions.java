package io.busbar.sandbox.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.model.Field;
import io.busbar.sandbox.model.Type;
import io.busbar.sandbox.resource.Resource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/**
 * The schemas of kinds, and of all that they are made of.
 *
 * <p>One thread.
 */
final class SchemaDefinitions {

    static final String KIND = "x-kubernetes-group-version-kind";

    /** The first is there also where nothing is stored. */
    private static final List<String> COMMON =
            List.of("APIResourceList", "DeleteOptions", "Patch", "Status", "WatchEvent");

    private static final List<String> OF_ALL_GROUPS = List.of("DeleteOptions", "WatchEvent");

    /** A kind of its own that is also part of others. */
    private static final String CLAIM = "core.v1.PersistentVolumeClaim";

    private final ObjectNode schemas = JsonNodeFactory.instance.objectNode();
    private final Function<String, ObjectNode> reference;
    private final Function<String, ObjectNode> beside;
    private final Deque<String> waiting = new ArrayDeque<>();

    /**
     * @param reference refers to a definition by its name
     * @param beside the same where more may be said of the place
     */
    SchemaDefinitions(Function<String, ObjectNode> reference, Function<String, ObjectNode> beside) {
        this.reference = reference;
        this.beside = beside;
    }

    /** By name. */
    ObjectNode schemas() {
        return schemas;
    }

    /**
     * Adds a built-in kind, its list, what its subresources take, and what requests and answers of all kinds are made
     * of.
     */
    void add(Resource resource) {
        String group = resource.type().group();
        String version = resource.type().version();
        add(group, version, resource.type().kind());
        if (resource.stored()) {
            add(group, version, resource.listKind());
        }
        for (String subresource : resource.subresources()) {
            switch (subresource) {
                case "binding" -> add("", "v1", "Binding");
                case "eviction" -> add("policy", "v1", "Eviction");
                case "scale" -> add("autoscaling", "v1", "Scale");
                case "token" -> add("authentication.k8s.io", "v1", "TokenRequest");
                default -> {}
            }
        }
        for (String common : resource.stored() ? COMMON : COMMON.subList(0, 1)) {
            String type = "meta.v1." + common;
            waiting.add(type);
            define();
            if (!common.equals("Patch")) {
                kind(DefinitionNames.of(type), "", "v1", common);
            }
            if (OF_ALL_GROUPS.contains(common)) {
                kind(DefinitionNames.of(type), group, version, common);
            }
        }
    }

    private void add(String group, String version, String kind) {
        String type = Type.nameOf(group, version, kind);
        waiting.add(type);
        define();
        if (Type.find(type) == null) {
            schemas.putObject(DefinitionNames.of(type)).put("type", "object");
        }
        kind(DefinitionNames.of(type), group, version, kind);
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
            properties.putObject("apiVersion").put("type", "string");
            properties.putObject("kind").put("type", "string");
            properties.set("metadata", beside.apply(DefinitionNames.of(Type.OBJECT_META)));
        }
        schemas.set(DefinitionNames.of(resource), definition);
        waiting.add(Type.OBJECT_META);
        define();
        describe(
                schemas.withObjectProperty(DefinitionNames.of(resource))
                        .withArrayProperty(KIND)
                        .addObject(),
                resource);
    }

    private void kind(String name, String group, String version, String kind) {
        ObjectNode described =
                schemas.objectNode().put("group", group).put("kind", kind).put("version", version);
        var kinds = schemas.withObjectProperty(name).withArrayProperty(KIND);
        for (JsonNode known : kinds) {
            if (known.equals(described)) {
                return;
            }
        }
        kinds.add(described);
    }

    static void describe(ObjectNode node, Resource resource) {
        node.put("group", resource.type().group())
                .put("kind", resource.type().kind())
                .put("version", resource.type().version());
    }

    private void define() {
        while (!waiting.isEmpty()) {
            String name = waiting.remove();
            if (!schemas.has(DefinitionNames.of(name))) {
                Type type = Type.find(name);
                if (type != null) {
                    define(schemas.putObject(DefinitionNames.of(name)).put("type", "object"), type);
                    if (name.equals(CLAIM)) {
                        kind(DefinitionNames.of(name), "", "v1", "PersistentVolumeClaim");
                    }
                } else if (!name.contains(".")) {
                    form(schemas.putObject(DefinitionNames.of(name)), name);
                }
            }
        }
    }

    private void define(ObjectNode definition, Type type) {
        ObjectNode properties = JsonNodeFactory.instance.objectNode();
        List<String> required = type.fields().values().stream()
                .filter(Field::required)
                .map(Field::name)
                .toList();
        type.fields().values().forEach(field -> properties.set(field.name(), property(field)));
        if (!required.isEmpty()) {
            required.forEach(definition.putArray("required")::add);
        }
        if (!properties.isEmpty()) {
            definition.set("properties", properties);
        }
        if (type.atomic()) {
            definition.put("x-kubernetes-map-type", "atomic");
        }
    }

    private ObjectNode property(Field field) {
        ObjectNode property = switch (field.shape()) {
            case ONE -> value(field, beside);
            case LIST -> {
                ObjectNode list = schemas.objectNode().put("type", "array");
                list.set("items", value(field, reference));
                yield list;
            }
            case MAP -> {
                ObjectNode map = schemas.objectNode().put("type", "object");
                map.set("additionalProperties", value(field, reference));
                yield map;
            }
        };
        if (field.standard() != null) {
            property.set("default", field.standard());
        }
        merging(property, field.merging(), field.isMap() || (Type.find(field.type()) != null && !field.isList()));
        return property;
    }

    private static void merging(ObjectNode property, Field.Merging merging, boolean map) {
        if (!merging.form().isEmpty()) {
            property.put(map ? "x-kubernetes-map-type" : "x-kubernetes-list-type", merging.form());
        }
        if (!merging.keys().isEmpty()) {
            merging.keys().forEach(property.putArray("x-kubernetes-list-map-keys")::add);
        }
        if (merging.patchKey() != null) {
            property.put("x-kubernetes-patch-merge-key", merging.patchKey());
        }
        String strategy = (merging.patchMerges() ? ",merge" : "")
                + (merging.patchRetainsKeys() ? ",retainKeys" : "")
                + (merging.patchReplaces() ? ",replace" : "");
        if (!strategy.isEmpty()) {
            property.put("x-kubernetes-patch-strategy", strategy.substring(1));
        }
    }

    private ObjectNode value(Field field, Function<String, ObjectNode> refer) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        switch (field.type()) {
            case "s" -> schema.put("type", "string");
            case "i" -> schema.put("type", "integer").put("format", "int32");
            case "l" -> schema.put("type", "integer").put("format", "int64");
            case "b" -> schema.put("type", "boolean");
            case "d" -> schema.put("type", "number").put("format", "double");
            case "y" -> schema.put("type", "string").put("format", "byte");
            case "ExtraValue" -> schema.put("type", "array").putObject("items").put("type", "string");
            default -> {
                waiting.add(field.type());
                return refer.apply(DefinitionNames.of(field.type()));
            }
        }
        if (!field.allowed().isEmpty()) {
            field.allowed().forEach(schema.putArray("enum")::add);
        }
        return schema;
    }

    private static void form(ObjectNode schema, String name) {
        switch (name) {
            case "Time", "MicroTime" -> schema.put("type", "string").put("format", "date-time");
            case "Quantity" -> oneOf(schema, "string", "number");
            case "IntOrString" -> oneOf(schema.put("format", "int-or-string"), "integer", "string");
            case "RawExtension", "FieldsV1" -> schema.put("type", "object");
            default -> {}
        }
    }

    private static void oneOf(ObjectNode schema, String... types) {
        for (String type : types) {
            schema.withArrayProperty("oneOf").addObject().put("type", type);
        }
    }
}
