package io.busbar.admission.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON Patch (RFC 6902) that turns one document into another.
 *
 * <p>Objects are compared by member. Lists whose elements all have a {@code name} of their own (containers, volumes,
 * env) are compared by name, other lists by their common beginning and end, so that an insertion is one operation and
 * leaves the neighbours alone. Numbers are equal when their values are. Only add, remove and replace are used.
 *
 * <p>One thread each; {@link #diff} may be called on any.
 */
public final class JsonPatch {

    private final ArrayNode operations = JsonNodeFactory.instance.arrayNode();

    /** Names and indices on the way to where we are; made into a pointer only where there is something to say. */
    private final ArrayList<Object> steps = new ArrayList<>();

    private JsonPatch() {}

    /** The operations, in the order in which they are to be applied; empty when the documents are equal. */
    public static ArrayNode diff(JsonNode before, JsonNode after) {
        JsonPatch patch = new JsonPatch();
        patch.compare(before, after);
        return patch.operations;
    }

    private void compare(Object step, JsonNode before, JsonNode after) {
        if (!JsonEquality.identical(before, after)) {
            steps.add(step);
            compare(before, after);
            steps.remove(steps.size() - 1);
        }
    }

    private void compare(JsonNode before, JsonNode after) {
        if (before instanceof ObjectNode && after instanceof ObjectNode) {
            compareMembers(before, after);
        } else if (before instanceof ArrayNode beforeList && after instanceof ArrayNode afterList) {
            compareLists(beforeList, afterList);
        } else if (!JsonEquality.same(before, after)) {
            emit("replace", after);
        }
    }

    /** In step as long as both have the same names, which is mostly to the end; by name from there. */
    private void compareMembers(JsonNode before, JsonNode after) {
        Iterator<Map.Entry<String, JsonNode>> olds = before.properties().iterator();
        Iterator<Map.Entry<String, JsonNode>> news = after.properties().iterator();
        while (olds.hasNext() || news.hasNext()) {
            Map.Entry<String, JsonNode> old = olds.hasNext() ? olds.next() : null;
            Map.Entry<String, JsonNode> now = news.hasNext() ? news.next() : null;
            if (old != null && now != null && old.getKey().equals(now.getKey())) {
                compare(now.getKey(), old.getValue(), now.getValue());
                continue;
            }
            if (old != null && !after.has(old.getKey())) {
                emit(old.getKey(), "remove", null);
            }
            if (now != null) {
                compareMember(now.getKey(), before.get(now.getKey()), now.getValue());
            }
        }
    }

    private void compareMember(String name, @Nullable JsonNode old, JsonNode now) {
        if (old == null) {
            emit(name, "add", now);
        } else {
            compare(name, old, now);
        }
    }

    private void compareLists(ArrayNode before, ArrayNode after) {
        if (ListAlignment.corresponds(before, after)) {
            for (int i = 0; i < after.size(); i++) {
                compare(i, before.get(i), after.get(i));
            }
            return;
        }
        ListAlignment alignment = ListAlignment.of(before, after);
        if (alignment.rewritesAll()) {
            emit("replace", after);
            return;
        }
        for (int i = before.size() - 1; i >= 0; i--) {
            if (!alignment.keeps(i)) {
                emit(i, "remove", null);
            }
        }
        // Everything ahead of i is as wanted by now, so a kept element stands at i.
        for (int i = 0; i < after.size(); i++) {
            int origin = alignment.origin(i);
            if (origin < 0) {
                emit(i, "add", after.get(i));
            } else {
                compare(i, before.get(origin), after.get(i));
            }
        }
    }

    private void emit(Object step, String operation, @Nullable JsonNode value) {
        steps.add(step);
        emit(operation, value);
        steps.remove(steps.size() - 1);
    }

    private void emit(String operation, @Nullable JsonNode value) {
        ObjectNode node = operations.addObject().put("op", operation).put("path", pointer());
        if (value != null) {
            node.set("value", value);
        }
    }

    /** RFC 6901. */
    private String pointer() {
        StringBuilder path = new StringBuilder();
        for (Object step : steps) {
            path.append('/').append(step.toString().replace("~", "~0").replace("/", "~1"));
        }
        return path.toString();
    }
}
