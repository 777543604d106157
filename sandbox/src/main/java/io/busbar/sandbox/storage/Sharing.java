package io.busbar.sandbox.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * Lets a new form of an object share the parts that did not change with the form before, so that history costs little
 * memory and equality is seen at once.
 *
 * <p>Any thread; the nodes passed in are in the caller's hands.
 */
@SuppressWarnings("ReferenceEquality") // What is shared is the very same node.
public final class Sharing {

    private Sharing() {}

    /**
     * @return {@code before} itself when both are equal, else {@code after}, whose equal parts are now those of
     *     {@code before}
     */
    public static JsonNode share(JsonNode before, JsonNode after) {
        if (before == after) {
            return before;
        }
        if (before instanceof ObjectNode old && after instanceof ObjectNode now) {
            return shareObject(old, now) ? old : now;
        }
        if (before instanceof ArrayNode old && after instanceof ArrayNode now) {
            return shareArray(old, now) ? old : now;
        }
        return before.equals(after) ? before : after;
    }

    private static boolean shareObject(ObjectNode before, ObjectNode after) {
        boolean same = before.size() == after.size();
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            JsonNode old = before.get(field.getKey());
            JsonNode shared = old == null ? field.getValue() : share(old, field.getValue());
            same &= shared == old;
            field.setValue(shared);
        }
        return same;
    }

    private static boolean shareArray(ArrayNode before, ArrayNode after) {
        boolean same = before.size() == after.size();
        for (int i = 0; i < after.size(); i++) {
            JsonNode old = before.get(i);
            JsonNode shared = old == null ? after.get(i) : share(old, after.get(i));
            same &= shared == old;
            after.set(i, shared);
        }
        return same;
    }
}
