package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.schema.StructuralSchema;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The shape that a CRD declares.
 *
 * <p>Any thread. What was made once is kept.
 */
final class SchemaTopology implements ListTopology {

    private static final List<String> HEAD = List.of("apiVersion", "kind");
    private static final ListTopology NAME = new ListTopology() {
        @Override
        public Value value() {
            return Value.TEXT;
        }
    };

    private final StructuralSchema schema;
    private final @Nullable ListTopology metadata;
    private final boolean open;
    private final Map<String, ListTopology> fields = new ConcurrentHashMap<>();
    private final ListTopology others;
    private final boolean closed;

    /** @param metadata of the object, for the root; null below */
    SchemaTopology(StructuralSchema schema, @Nullable ListTopology metadata) {
        this(schema, metadata, false);
    }

    /** @param within whether a schema around this one preserves unknown fields */
    private SchemaTopology(StructuralSchema schema, @Nullable ListTopology metadata, boolean within) {
        this.schema = schema;
        this.metadata = metadata;
        this.open = within || schema.preservesUnknown();
        StructuralSchema additional = schema.additionalProperties();
        this.others = additional == null ? FREE : new SchemaTopology(additional, null, open);
        this.closed = additional == null
                && !open
                && !schema.takesAnyProperty()
                && (metadata != null || !schema.properties().isEmpty());
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
        if (isHead(name)) {
            return metadata != null && name.equals("metadata") ? metadata : HEAD.contains(name) ? NAME : FREE;
        }
        StructuralSchema property = schema.property(name);
        return property == null
                ? others
                : fields.computeIfAbsent(name, field -> new SchemaTopology(property, null, open));
    }

    @Override
    public boolean declares(String name) {
        return isHead(name) || schema.property(name) != null;
    }

    @Override
    public boolean takes(String name) {
        return !closed || declares(name);
    }

    private boolean isHead(String name) {
        return (metadata != null || schema.isEmbedded()) && (name.equals("metadata") || HEAD.contains(name));
    }

    @Override
    public Value value() {
        if (schema.isIntOrString()) {
            return Value.SCALAR;
        }
        return switch (schema.type()) {
            case "string" -> List.of("", "byte").contains(schema.format()) ? Value.TEXT : Value.SCALAR;
            case "integer", "number" -> Value.NUMBER;
            case "boolean" -> Value.TRUTH;
            case "object" -> Value.OBJECT;
            case "array" -> Value.LIST;
            default -> Value.ANY;
        };
    }

    @Override
    public ListTopology items() {
        StructuralSchema items = schema.items();
        return items == null ? ONE : fields.computeIfAbsent("[]", field -> new SchemaTopology(items, null, open));
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
