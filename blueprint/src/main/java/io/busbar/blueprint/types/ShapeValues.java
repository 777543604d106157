package io.busbar.blueprint.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.busbar.blueprint.types.Shape.ListOf;
import io.busbar.blueprint.types.Shape.MapOf;
import io.busbar.blueprint.types.Shape.ObjectOf;
import io.busbar.blueprint.types.Shape.Scalar;
import io.busbar.cel.FieldMap;
import io.busbar.cel.SchemaValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as CEL sees it, by its shape. What does not fit its shape is taken as it is. Any thread. */
public final class ShapeValues {

    private static final JsonNode UNFORMATTED = JsonNodeFactory.instance.missingNode();
    private static final JsonNode BYTES = JsonNodeFactory.instance.objectNode().put("format", "byte");
    private static final JsonNode TIME = JsonNodeFactory.instance.objectNode().put("format", "date-time");

    private ShapeValues() {}

    public static Object of(JsonNode value, Shape shape) {
        if (shape instanceof ObjectOf object && value.isObject()) {
            FieldMap fields = new FieldMap();
            value.properties().forEach(field -> {
                Shape its = object.fields().getOrDefault(field.getKey(), Scalar.ANY);
                ShapeTypes.name(field.getKey())
                        .ifPresent(name -> put(fields, name, of(field.getValue(), its), field.getValue()));
            });
            return fields;
        }
        if (shape instanceof MapOf map && value.isObject()) {
            Map<String, Object> entries = new LinkedHashMap<>();
            value.properties().forEach(entry -> entries.put(entry.getKey(), of(entry.getValue(), map.values())));
            return entries;
        }
        if (shape instanceof ListOf list && value.isArray()) {
            List<Object> items = new ArrayList<>();
            value.forEach(item -> items.add(of(item, list.items())));
            return items;
        }
        if (shape == Scalar.NUMBER && value.isNumber()) {
            return value.doubleValue();
        }
        return SchemaValues.of(value, shape == Scalar.BYTES ? BYTES : shape == Scalar.TIME ? TIME : UNFORMATTED);
    }

    /** A field that is null is one that is not there. */
    private static void put(FieldMap fields, String name, Object value, JsonNode json) {
        if (!json.isNull()) {
            fields.put(name, value);
        }
    }
}
