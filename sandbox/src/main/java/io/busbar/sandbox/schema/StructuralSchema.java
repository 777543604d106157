package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A structural schema of a CRD: what its version's objects may hold.
 *
 * <p>Objects that are passed in are never altered. {@code apiVersion}, {@code kind} and {@code metadata} at the root
 * are left to the API server's own rules. Immutable.
 */
public final class StructuralSchema {

    /** How a list is to be merged by server-side apply, and what must be unique in it. */
    public enum ListType {
        ATOMIC,
        SET,
        MAP
    }

    private final String type;
    private final boolean nullable;
    private final boolean intOrString;
    private final boolean preservesUnknown;
    private final boolean embedded;
    private final boolean atomicMap;
    private final boolean takesAnyProperty;
    private final ListType listType;
    private final String listTypeName;
    private final List<String> mapKeys;
    private final Map<String, StructuralSchema> properties;
    private final @Nullable StructuralSchema additionalProperties;
    private final @Nullable StructuralSchema items;
    private final @Nullable JsonNode defaultValue;
    private final Constraints constraints;

    private StructuralSchema(JsonNode schema) {
        this.type = schema.path("type").asText();
        this.nullable = schema.path("nullable").asBoolean();
        this.intOrString = schema.path("x-kubernetes-int-or-string").asBoolean();
        this.preservesUnknown =
                schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
        this.embedded = schema.path("x-kubernetes-embedded-resource").asBoolean();
        this.atomicMap = schema.path("x-kubernetes-map-type").asText().equals("atomic");
        this.listTypeName = schema.path("x-kubernetes-list-type").asText("");
        this.listType = switch (listTypeName) {
            case "set" -> ListType.SET;
            case "map" -> ListType.MAP;
            default -> ListType.ATOMIC;
        };
        List<String> keys = new ArrayList<>();
        schema.path("x-kubernetes-list-map-keys").forEach(key -> keys.add(key.asText()));
        this.mapKeys = List.copyOf(keys);
        Map<String, StructuralSchema> children = new LinkedHashMap<>();
        schema.path("properties")
                .properties()
                .forEach(property -> children.put(property.getKey(), of(property.getValue())));
        this.properties = Collections.unmodifiableMap(children);
        JsonNode additional = schema.path("additionalProperties");
        this.additionalProperties = additional.isObject() ? of(additional) : null;
        this.takesAnyProperty = additional.asBoolean();
        this.items = schema.path("items").isObject() ? of(schema.path("items")) : null;
        this.defaultValue = schema.get("default");
        this.constraints = Constraints.of(schema);
    }

    /** Compiles a schema; what is not part of a structural schema is passed over. */
    public static StructuralSchema of(JsonNode openAPIV3Schema) {
        return new StructuralSchema(openAPIV3Schema);
    }

    /**
     * What is null and must not be; {@link #withDefaults} would drop it.
     *
     * @param containers whether objects and lists count as well
     */
    public List<FieldCause> nulls(ObjectNode object, boolean containers) {
        Causes causes = new Causes();
        new ForbiddenNulls(containers, causes).find("", object, this);
        return causes.list();
    }

    /**
     * What is wrong with an object, in the words of the API server; empty when nothing is.
     *
     * @param before null for a new object; what was wrong in it and is as it was is let pass
     */
    public List<FieldCause> validate(JsonNode object, @Nullable JsonNode before) {
        return Validation.of(this, object, before);
    }

    /** Like {@link #validate}, for a value that is found at a path. */
    public List<FieldCause> validateAt(String path, JsonNode value, @Nullable JsonNode before) {
        return Validation.ofValue(path, this, value, before);
    }

    /** Tells of each embedded resource in an object, by its path. */
    public void embedded(String path, JsonNode value, BiConsumer<String, JsonNode> found) {
        if (value.isObject() && embedded) {
            found.accept(path, value);
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            StructuralSchema property = of(field.getKey());
            if (property != null) {
                String name = properties.containsKey(field.getKey())
                        ? Validation.child(path, field.getKey())
                        : path + "[" + field.getKey() + "]";
                property.embedded(name, field.getValue(), found);
            }
        }
        for (int i = 0; items != null && value.isArray() && i < value.size(); i++) {
            items.embedded(path + "[" + i + "]", value.get(i), found);
        }
    }

    /** The object without nulls where null is not allowed, and with defaults for what it lacks. */
    public <T extends JsonNode> T withDefaults(T object) {
        T copy = object.deepCopy();
        Defaulting.apply(copy, this);
        return copy;
    }

    /** The object without the fields that the schema does not know. */
    public <T extends JsonNode> T prune(T object) {
        T copy = object.deepCopy();
        Pruning.apply(copy, this);
        return copy;
    }

    /** Paths of what {@link #prune} would drop, in order. */
    public List<String> unknownFields(JsonNode object) {
        return Pruning.unknown(object, this);
    }

    /** Like {@link #prune}, for a value that need not be a resource. */
    public JsonNode pruneValue(JsonNode value) {
        JsonNode copy = value.deepCopy();
        Pruning.applyToValue(copy, this);
        return copy;
    }

    /** The schema of a declared property, or null. */
    public @Nullable StructuralSchema property(String name) {
        return properties.get(name);
    }

    /** The schema of an undeclared property, or null. */
    public @Nullable StructuralSchema additionalProperties() {
        return additionalProperties;
    }

    /** The schema of a list's items, or null. */
    public @Nullable StructuralSchema items() {
        return items;
    }

    /** The default, or null. Not to be altered. */
    public @Nullable JsonNode defaultValue() {
        return defaultValue;
    }

    public ListType listType() {
        return listType;
    }

    /** What tells the items of a {@link ListType#MAP} apart. */
    public List<String> mapKeys() {
        return mapKeys;
    }

    /** Whether server-side apply treats an object as one value. */
    public boolean isAtomicMap() {
        return atomicMap;
    }

    public Map<String, StructuralSchema> properties() {
        return properties;
    }

    /** The schema of a property, declared or not; null for none. */
    @Nullable
    StructuralSchema of(String property) {
        return properties.getOrDefault(property, additionalProperties);
    }

    /** As it is written; empty for none. */
    String listTypeName() {
        return listTypeName;
    }

    public boolean takesAnyProperty() {
        return takesAnyProperty;
    }

    /** Of a text, empty for none. */
    public String format() {
        return constraints.format();
    }

    public String type() {
        return type;
    }

    boolean isNullable() {
        return nullable;
    }

    public boolean isIntOrString() {
        return intOrString;
    }

    public boolean preservesUnknown() {
        return preservesUnknown;
    }

    public boolean isEmbedded() {
        return embedded;
    }

    Constraints constraints() {
        return constraints;
    }
}
