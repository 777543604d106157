package io.busbar.sandbox.core;

import io.busbar.sandbox.patch.MergeKeys;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A place in a built-in kind, for strategic merge patches. Immutable. */
final class ListShape implements MergeKeys {

    /** How a value merges. */
    enum Form {
        GRANULAR,
        ATOMIC,
        SET,
        MAP
    }

    /**
     * @param type of the field, or of the list's items; empty when nothing is to be known of it
     * @param patched whether strategic merge patch follows the keys as well
     */
    record Field(Form form, List<String> keys, String type, boolean patched) {}

    private static final Field PLAIN = new Field(Form.GRANULAR, List.of(), "", true);

    private final Map<String, Field> fields;
    private final Field self;

    /** An object. */
    ListShape(Map<String, Field> fields) {
        this(PLAIN, fields);
    }

    private ListShape(Field self, Map<String, Field> fields) {
        this.self = self;
        this.fields = fields;
    }

    @Override
    public ListShape field(String name) {
        Field field = fields.getOrDefault(name, PLAIN);
        return new ListShape(field, field.form() == Form.MAP ? Map.of() : BuiltInLists.fields(field.type()));
    }

    @Override
    public ListShape items() {
        return new ListShape(BuiltInLists.fields(self.type()));
    }

    @Override
    public @Nullable String mergeKey() {
        return self.form() == Form.MAP && self.patched() ? self.keys().get(0) : null;
    }

    @Override
    public boolean mergesScalars() {
        return self.form() == Form.SET;
    }
}
