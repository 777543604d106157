package io.busbar.sandbox.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.StatusException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Fields of an object that is being filled in, in place. Any thread. */
public final class Fields {

    private Fields() {}

    public static void text(ObjectNode object, String field, String value) {
        if (object.path(field).asText("").isEmpty()) {
            object.put(field, value);
        }
    }

    public static void number(ObjectNode object, String field, int value) {
        if (!object.has(field)) {
            object.put(field, value);
        }
    }

    public static void flag(ObjectNode object, String field, boolean value) {
        if (!object.has(field)) {
            object.put(field, value);
        }
    }

    /** The names of the fields that one of two objects has. */
    public static Set<String> names(ObjectNode one, ObjectNode other) {
        Set<String> names = new TreeSet<>();
        one.fieldNames().forEachRemaining(names::add);
        other.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** The object in a field, made when it is absent. */
    public static ObjectNode in(ObjectNode object, String field) {
        return object.get(field) instanceof ObjectNode child ? child : object.putObject(field);
    }

    /** A field as another object has it: what it lacks is taken away. */
    public static void restore(ObjectNode object, JsonNode from, String field) {
        if (from.has(field)) {
            object.set(field, from.get(field));
        } else {
            object.remove(field);
        }
    }

    public static void ifObject(@Nullable JsonNode node, Consumer<ObjectNode> action) {
        if (node instanceof ObjectNode object) {
            action.accept(object);
        }
    }

    public static void each(JsonNode list, Consumer<ObjectNode> action) {
        list.forEach(item -> ifObject(item, action));
    }

    /**
     * The list itself, or an empty one when there is none.
     *
     * @throws StatusException 400 when it is something else
     */
    public static ArrayNode list(JsonNode node) {
        if (node instanceof ArrayNode list) {
            return list;
        }
        if (!node.isNull() && !node.isMissingNode()) {
            throw StatusException.badRequest("json: cannot unmarshal "
                    + node.getNodeType().name().toLowerCase(Locale.ROOT) + " into a Go slice");
        }
        return JsonNodeFactory.instance.arrayNode();
    }

    /** Drops nulls, empty lists and empty maps of the given names: what Go's decoder and encoder do not keep. */
    public static void compact(JsonNode node, List<String> maps) {
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(field -> {
                JsonNode value = field.getValue();
                compact(value, maps);
                return value.isNull()
                        || (value.isArray() && value.isEmpty())
                        || (value.isObject() && value.isEmpty() && maps.contains(field.getKey()));
            });
        } else if (node instanceof ArrayNode) {
            node.forEach(item -> compact(item, maps));
        }
    }
}
