package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.apply.ListTopology;
import io.busbar.sandbox.patch.MergeKeys;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A place in a built-in kind, for both ways of merging. Immutable. */
final class ListShape implements ListTopology, MergeKeys {

    /**
     * @param type of the field, or of the list's items; empty when nothing is to be known of it
     * @param patched whether strategic merge patch follows the keys as well
     */
    record Field(Form form, List<String> keys, String type, boolean patched) {}

    private final Map<String, Field> fields;
    private final Field self;
    private final ObjectNode blank;

    /** An object. */
    ListShape(Map<String, Field> fields) {
        this(fields, BlankObjects.NONE);
    }

    /** A whole kind. */
    ListShape(Map<String, Field> fields, ObjectNode blank) {
        this(new Field(Form.GRANULAR, List.of(), "", true), fields, blank);
    }

    private ListShape(Field self, Map<String, Field> fields, ObjectNode blank) {
        this.self = self;
        this.fields = fields;
        this.blank = blank;
    }

    @Override
    public ListShape field(String name) {
        Field field = fields.getOrDefault(name, new Field(Form.GRANULAR, List.of(), "", true));
        Map<String, Field> below = field.form() == Form.MAP ? Map.of() : BuiltInLists.fields(field.type());
        return new ListShape(field, below, BlankObjects.NONE);
    }

    @Override
    public ListShape items() {
        return new ListShape(BuiltInLists.fields(self.type()));
    }

    @Override
    public Form form() {
        return self.form();
    }

    @Override
    public List<String> keys() {
        return self.keys();
    }

    /** Built-in keys are texts, and empty when absent, but for the protocol of a port. */
    @Override
    public @Nullable JsonNode keyDefault(String key) {
        return switch (key) {
            case "protocol" -> TextNode.valueOf("TCP");
            case "containerPort", "port" -> null;
            default -> TextNode.valueOf("");
        };
    }

    @Override
    public @Nullable String mergeKey() {
        return self.form() == Form.MAP && self.patched() ? self.keys().get(0) : null;
    }

    @Override
    public boolean mergesScalars() {
        return self.form() == Form.SET;
    }

    @Override
    public ObjectNode blank() {
        return blank.deepCopy();
    }
}
