package io.busbar.sandbox.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.resource.CustomVersion;
import io.busbar.sandbox.resource.Resource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes {@code meta.k8s.io/v1} tables of objects.
 *
 * <p>Any thread. Kinds without columns of their own have Name and Age.
 */
public final class Tables {

    private static final List<Column> PLAIN = List.of(Column.NAME, Column.AGE);

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
            Resource resource, List<ObjectNode> objects, ObjectNode metadata, String include, boolean describe) {
        List<Column> columns = columns(resource);
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

    private static List<Column> columns(Resource resource) {
        CustomVersion custom = resource.custom();
        if (custom != null) {
            return custom(custom.printerColumns());
        }
        String name = resource.storage().toString();
        if (name.equals("pods")) {
            return PodColumns.ALL;
        }
        return Stream.of(
                        WorkloadColumns.ALL,
                        AutoscalerColumns.ALL,
                        StorageColumns.ALL,
                        EndpointColumns.ALL,
                        ClusterColumns.ALL)
                .filter(columns -> columns.containsKey(name))
                .findFirst()
                .map(columns -> columns.getOrDefault(name, PLAIN))
                .orElse(PLAIN);
    }

    private static List<Column> custom(JsonNode definitions) {
        if (definitions.isEmpty()) {
            return List.of(Column.NAME, Column.AGE.as("date"));
        }
        List<Column> columns = new ArrayList<>();
        columns.add(Column.NAME);
        for (JsonNode definition : definitions) {
            String path = definition.path("jsonPath").asText();
            JsonPath found = JsonPath.parse(path);
            String type = definition.path("type").asText();
            columns.add(new Column(
                    definition.path("name").asText(),
                    type,
                    definition.path("format").asText(""),
                    definition
                            .path("description")
                            .asText("Custom resource definition column (in JSONPath format): " + path),
                    definition.path("priority").asInt(),
                    (object, now) -> cell(found.find(object), type, now)));
        }
        return columns;
    }

    private static JsonNode cell(List<JsonNode> found, String type, Instant now) {
        if (found.isEmpty()) {
            return NullNode.instance;
        }
        JsonNode value = found.get(0);
        return switch (type) {
            case "date" -> JsonNodeFactory.instance.textNode(Ages.since(value, now));
            case "integer", "number", "boolean" ->
                value.isValueNode() && !value.isTextual() ? value : NullNode.instance;
            default -> JsonNodeFactory.instance.textNode(value.isTextual() ? value.asText() : value.toString());
        };
    }
}
