package io.busbar.sandbox.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.function.Function;

/**
 * A column of a table.
 *
 * <p>Immutable.
 *
 * @param priority 0 for always, more for {@code -o wide}
 */
record Column(String name, String type, String format, String description, int priority, Cell cell) {

    /** The value of a column for one object. */
    interface Cell {
        JsonNode of(ObjectNode object, Instant now);
    }

    static final Column NAME = new Column(
            "Name",
            "string",
            "name",
            "Name of the object.",
            0,
            (object, now) -> object.path("metadata").path("name"));
    static final Column AGE = new Column(
            "Age",
            "string",
            "",
            "Time since the object was created.",
            0,
            (object, now) -> text(Ages.since(object.path("metadata").path("creationTimestamp"), now)));
    static final Column CREATED_AT = new Column(
            "Created At",
            "date",
            "",
            "When the object was created.",
            0,
            (object, now) -> object.path("metadata").path("creationTimestamp"));

    static Column text(String name, Function<ObjectNode, String> value) {
        return new Column(name, "string", "", name + ".", 0, (object, now) -> text(value.apply(object)));
    }

    static Column age(String name, Function<ObjectNode, JsonNode> timestamp) {
        return new Column(
                name, "string", "", name + ".", 0, (object, now) -> text(Ages.since(timestamp.apply(object), now)));
    }

    static Column number(String name, Function<ObjectNode, Long> value) {
        return new Column(
                name,
                "integer",
                "",
                name + ".",
                0,
                (object, now) -> JsonNodeFactory.instance.numberNode(value.apply(object)));
    }

    static Column flag(String name, Function<ObjectNode, Boolean> value) {
        return new Column(
                name, "boolean", "", name + ".", 0, (object, now) -> BooleanNode.valueOf(value.apply(object)));
    }

    /** The same column under another type: the real server calls some numbers strings. */
    Column as(String other) {
        return new Column(name, other, format, description, priority, cell);
    }

    /** The same column, shown by {@code -o wide} alone. */
    Column wide() {
        return new Column(name, type, format, description, 1, cell);
    }

    private static JsonNode text(String value) {
        return JsonNodeFactory.instance.textNode(value);
    }
}
