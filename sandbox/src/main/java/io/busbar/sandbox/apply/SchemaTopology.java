package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.schema.StructuralSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shape that a CRD declares.
 *
 * <p>What a preserved unknown field holds is one value, as in Kubernetes 1.20. Immutable.
 */
final class SchemaTopology implements ListTopology {

    private final StructuralSchema schema;
    private final @Nullable ListTopology metadata;

    /** @param metadata of the object, for the root; null below */
    SchemaTopology(StructuralSchema schema, @Nullable ListTopology metadata) {
        this.schema = schema;
        this.metadata = metadata;
    }

    @Override
    public Form form() {
        return switch (schema.listType()) {
            case SET -> Form.SET;
            case MAP -> Form.MAP;
            case ATOMIC -> schema.isAtomicMap() || schema.items() != null ? Form.ATOMIC : Form.GRANULAR;
        };
    }

    @Override
    public ListTopology field(String name) {
        if (metadata != null && name.equals("metadata")) {
            return metadata;
        }
        StructuralSchema property = schema.property(name);
        StructuralSchema child = property == null ? schema.additionalProperties() : property;
        return child == null ? ONE : new SchemaTopology(child, null);
    }

    @Override
    public boolean declares(String name) {
        return schema.property(name) != null
                || (metadata != null
                        && List.of("apiVersion", "kind", "metadata").contains(name));
    }

    @Override
    public ListTopology items() {
        StructuralSchema items = schema.items();
        return items == null ? ONE : new SchemaTopology(items, null);
    }

    @Override
    public List<String> keys() {
        return schema.mapKeys();
    }

    @Override
    public @Nullable JsonNode keyDefault(String key) {
        StructuralSchema items = schema.items();
        StructuralSchema property = items == null ? null : items.property(key);
        return property == null ? null : property.defaultValue();
    }

    @Override
    public ObjectNode blank() {
        ObjectNode blank = JsonNodeFactory.instance.objectNode();
        blank.putObject("metadata");
        return blank;
    }
}
