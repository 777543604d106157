package io.busbar.sandbox.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.apply.ListTopology;
import io.busbar.sandbox.model.Field.Merging;
import io.busbar.sandbox.model.Field.Shape;
import io.busbar.sandbox.patch.MergeKeys;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a built-in kind, as it is published, for both ways of merging.
 *
 * <p>Any thread. What was made once is kept.
 */
final class ModelTopology implements ListTopology, MergeKeys {

    /** Of what no kind tells the form. */
    private static final ModelTopology ANYTHING = new ModelTopology(one("RawExtension"));

    private final Field self;
    private final @Nullable Type type;
    private final Map<String, ModelTopology> fields = new ConcurrentHashMap<>();
    private @Nullable ModelTopology items;

    ModelTopology(Type type) {
        this(one(type.name()));
    }

    private ModelTopology(Field self) {
        this.self = self;
        this.type = self.shape() == Shape.ONE ? Type.find(self.type()) : null;
    }

    private static Field one(String type) {
        return new Field("", type, Shape.ONE, false, null, List.of(), Merging.NONE);
    }

    @Override
    public Form form() {
        return switch (self.merging().form()) {
            case "atomic" -> Form.ATOMIC;
            case "granular" -> Form.GRANULAR;
            case "set" -> Form.SET;
            case "map" -> Form.MAP;
            default -> self.isList() || (type != null && type.atomic()) ? Form.ATOMIC : Form.GRANULAR;
        };
    }

    @Override
    public ModelTopology field(String name) {
        if (self.isMap()) {
            return items();
        }
        Field field = type == null ? null : type.field(name);
        if (field == null) {
            return ANYTHING;
        }
        ModelTopology known = fields.get(name);
        return known == null ? fields.computeIfAbsent(name, key -> new ModelTopology(field)) : known;
    }

    @Override
    public ModelTopology items() {
        ModelTopology known = items;
        if (known == null) {
            known = new ModelTopology(one(self.type()));
            items = known;
        }
        return known;
    }

    @Override
    public boolean declares(String name) {
        return type != null && type.field(name) != null;
    }

    @Override
    public boolean takes(String name) {
        return type == null || type.fields().isEmpty() || declares(name);
    }

    @Override
    public Value value() {
        if (self.shape() != Shape.ONE) {
            return self.isMap() ? Value.OBJECT : Value.LIST;
        }
        return switch (self.type()) {
            case "s", "y" -> Value.TEXT;
            case "i", "l", "d" -> Value.NUMBER;
            case "b" -> Value.TRUTH;
            case "Time", "MicroTime", "IntOrString", "Quantity" -> Value.SCALAR;
            default -> type == null ? Value.ANY : Value.OBJECT;
        };
    }

    @Override
    public List<String> keys() {
        return self.merging().keys();
    }

    @Override
    public @Nullable JsonNode keyDefault(String key) {
        Type item = Type.find(self.type());
        Field field = item == null ? null : item.field(key);
        return field == null ? null : field.standard();
    }

    @Override
    public @Nullable String mergeKey() {
        return self.merging().patchKey();
    }

    @Override
    public boolean mergesScalars() {
        return self.merging().patchMerges() && self.merging().patchKey() == null;
    }

    @Override
    public boolean replaces() {
        return self.merging().patchReplaces();
    }

    @Override
    public ObjectNode blank() {
        return type == null ? ListTopology.super.blank() : blank(type);
    }

    /** What an object holds by its Go type alone: structs that are no pointers, and what is never left out. */
    private static ObjectNode blank(Type type) {
        ObjectNode blank = JsonNodeFactory.instance.objectNode();
        for (Field field : type.fields().values()) {
            Type below = field.isStruct() ? Type.find(field.type()) : null;
            if (below != null) {
                blank.set(field.name(), blank(below));
            } else if (field.isList() && field.required()) {
                blank.putNull(field.name());
            } else if (field.required() && field.standard() != null) {
                blank.set(field.name(), field.standard());
            }
        }
        return blank;
    }
}
