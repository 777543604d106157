package io.busbar.sandbox.table;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Makes {@code meta.k8s.io/v1} tables of objects.
 *
 * <p>Any thread.
 */
public final class Tables {

    private final InstantSource clock;

    public Tables(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * @param metadata of the table
     * @param include {@code None}, {@code Metadata} or {@code Object}: what each row carries beside its cells
     * @param describe whether columns are told; on a watch only the first time
     */
    public ObjectNode render(
            Columns of, List<ObjectNode> objects, ObjectNode metadata, String include, boolean describe) {
        List<Column> columns = of.all();
        Instant now = clock.instant();
        ObjectNode table = JsonNodeFactory.instance.objectNode();
        table.put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
        table.set("metadata", metadata);
        if (describe) {
            ArrayNode definitions = table.putArray("columnDefinitions");
            columns.forEach(column -> definitions
                    .addObject()
                    .put("name", column.name())
                    .put("type", column.type())
                    .put("format", column.format())
                    .put("description", column.description())
                    .put("priority", column.priority()));
        } else {
            table.putNull("columnDefinitions");
        }
        ArrayNode rows = table.putArray("rows");
        for (ObjectNode object : objects) {
            ObjectNode row = rows.addObject();
            ArrayNode cells = row.putArray("cells");
            columns.forEach(column -> cells.add(column.cell().of(object, now)));
            switch (include) {
                case "None" -> row.putNull("object");
                case "Object" -> row.set("object", object);
                default ->
                    row.putObject("object")
                            .put("kind", "PartialObjectMetadata")
                            .put("apiVersion", "meta.k8s.io/v1")
                            .set("metadata", object.path("metadata"));
            }
        }
        return table;
    }
}
