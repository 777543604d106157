package io.busbar.sandbox.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.util.Map;

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
            (object, now) -> TextNode.valueOf(Ages.since(object.path("metadata").path("creationTimestamp"), now)));
    private static final Column CREATED_AT = new Column(
            "Created At",
            "date",
            "",
            "When the object was created.",
            0,
            (object, now) -> object.path("metadata").path("creationTimestamp"));

    /** Those that many kinds have, by name. */
    static final Map<String, Column> STANDARD = Map.of("Name", NAME, "Age", AGE, "Created At", CREATED_AT);

    /** The same column under another type. */
    Column as(String other) {
        return new Column(name, other, format, description, priority, cell);
    }

    /** The same column, shown by {@code -o wide} alone. */
    Column wide() {
        return new Column(name, type, format, description, 1, cell);
    }
}
