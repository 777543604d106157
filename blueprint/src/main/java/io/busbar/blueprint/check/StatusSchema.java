package io.busbar.blueprint.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.check.CheckedText.Evaluated;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.types.Shape;
import io.busbar.blueprint.types.Shape.ListOf;
import io.busbar.blueprint.types.Shape.MapOf;
import io.busbar.blueprint.types.Shape.ObjectOf;
import io.busbar.blueprint.types.Shape.Scalar;
import io.busbar.blueprint.types.ShapeTypes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The OpenAPI v3 of a status, from the types of its expressions.
 *
 * <p>One thread. What is too deep, or holds objects of its own kind, may be anything.
 */
final class StatusSchema {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int MOST_FIELDS = 3_000;
    private static final int DEEPEST = 20;

    private final ShapeTypes types;
    private final Map<SourceNode, CheckedText> texts;
    private final Deque<String> open = new ArrayDeque<>();
    private int fields;

    StatusSchema(ShapeTypes types, Map<SourceNode, CheckedText> texts) {
        this.types = types;
        this.texts = texts;
    }

    ObjectNode of(Map<String, SourceNode> members) {
        ObjectNode schema = NODES.objectNode().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        members.forEach((name, node) -> properties.set(name, of(node)));
        return schema;
    }

    private JsonNode of(SourceNode node) {
        if (node.isMap()) {
            Map<String, SourceNode> members = new LinkedHashMap<>();
            node.entries().forEach(field -> members.put(field.getKey(), field.getValue()));
            return of(members);
        }
        if (node.isList()) {
            List<JsonNode> items =
                    node.items().stream().map(this::of).distinct().toList();
            ObjectNode schema = NODES.objectNode().put("type", "array");
            schema.set("items", items.size() == 1 ? items.get(0) : anything());
            return schema;
        }
        CheckedText text = texts.get(node);
        if (text == null) {
            return value(node.value());
        }
        return text.standalone() && text.parts().get(0) instanceof Evaluated evaluated
                ? of(types.shape(evaluated.formula().expression().type()))
                : NODES.objectNode().put("type", "string");
    }

    private static ObjectNode value(JsonNode value) {
        String type = value.isBoolean()
                ? "boolean"
                : value.isIntegralNumber()
                        ? "integer"
                        : value.isNumber() ? "number" : value.isTextual() ? "string" : "";
        return type.isEmpty() ? anything() : NODES.objectNode().put("type", type);
    }

    private static ObjectNode anything() {
        return NODES.objectNode().put("x-kubernetes-preserve-unknown-fields", true);
    }

    private ObjectNode of(Shape shape) {
        fields++;
        ObjectNode schema = NODES.objectNode();
        if (shape instanceof ListOf list) {
            schema.put("type", "array").set("items", of(list.items()));
            return schema;
        }
        if (shape instanceof MapOf map) {
            schema.put("type", "object").set("additionalProperties", of(map.values()));
            return schema;
        }
        if (shape instanceof ObjectOf object) {
            return object(object);
        }
        return switch ((Scalar) shape) {
            case TEXT, BYTES, TIME -> schema.put("type", "string");
            case INTEGER -> schema.put("type", "integer");
            case NUMBER -> schema.put("type", "number");
            case BOOLEAN -> schema.put("type", "boolean");
            case INTEGER_OR_TEXT, QUANTITY -> schema.put("x-kubernetes-int-or-string", true);
            case ANY -> anything();
        };
    }

    private ObjectNode object(ObjectOf object) {
        if (open.contains(object.name()) || open.size() > DEEPEST || fields > MOST_FIELDS) {
            return anything();
        }
        open.push(object.name());
        ObjectNode schema = NODES.objectNode().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        object.fields().forEach((name, field) -> properties.set(name, of(field)));
        open.pop();
        return schema;
    }
}
