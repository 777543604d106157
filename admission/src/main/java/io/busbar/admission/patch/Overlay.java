package io.busbar.admission.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * Carries a change of a typed object over to the raw JSON that it was decoded from, so that what the type does not know
 * survives.
 *
 * <p>Pure functions; the arguments are not changed, but the result shares their nodes.
 */
public final class Overlay {

    private Overlay() {}

    /**
     * The raw document with the change from one typed document to another. A scalar that the type writes in another
     * form than the raw document, such as a quantity given as a number, takes the type's form.
     *
     * @param raw what was decoded
     * @param before the decoded object, encoded again
     * @param after the same with changes
     */
    public static JsonNode apply(JsonNode raw, JsonNode before, JsonNode after) {
        if (raw instanceof ObjectNode rawObject && before.isObject() && after.isObject()) {
            return members(rawObject, before, after);
        }
        if (raw instanceof ArrayNode rawList
                && before instanceof ArrayNode beforeList
                && after instanceof ArrayNode afterList
                && rawList.size() == beforeList.size()) {
            return elements(rawList, beforeList, afterList);
        }
        boolean sameForm = raw.getNodeType() == before.getNodeType() || raw.isNull();
        return sameForm && JsonEquality.same(before, after) ? raw : after;
    }

    private static ObjectNode members(ObjectNode raw, JsonNode before, JsonNode after) {
        ObjectNode result = raw.objectNode();
        for (Map.Entry<String, JsonNode> member : raw.properties()) {
            if (after.has(member.getKey()) || !before.has(member.getKey())) {
                result.set(member.getKey(), member.getValue());
            }
        }
        for (Map.Entry<String, JsonNode> member : after.properties()) {
            JsonNode old = before.get(member.getKey());
            JsonNode rawValue = raw.get(member.getKey());
            if (old == null || (rawValue == null && !JsonEquality.same(old, member.getValue()))) {
                result.set(member.getKey(), member.getValue());
            } else if (rawValue != null) {
                result.set(member.getKey(), apply(rawValue, old, member.getValue()));
            }
        }
        return result;
    }

    private static ArrayNode elements(ArrayNode raw, ArrayNode before, ArrayNode after) {
        ListAlignment alignment = ListAlignment.of(before, after);
        ArrayNode result = raw.arrayNode(after.size());
        for (int i = 0; i < after.size(); i++) {
            int origin = alignment.origin(i);
            result.add(origin < 0 ? after.get(i) : apply(raw.get(origin), before.get(origin), after.get(i)));
        }
        return result;
    }
}
