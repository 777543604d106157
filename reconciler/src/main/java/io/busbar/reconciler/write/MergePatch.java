package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The smallest JSON merge patch (RFC 7386) from one object to another. Immutable. */
final class MergePatch {

    /** Numbers are what they come to: a 1 may be an int where it was read, and a long or 1.0 where it was computed. */
    private static final Comparator<JsonNode> BY_VALUE = (one, other) -> isSame(one, other) ? 0 : 1;

    private MergePatch() {}

    /** Empty when the two are the same; a null member counts as one that is missing. */
    static ObjectNode between(JsonNode before, JsonNode after) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        after.properties().forEach(field -> {
            JsonNode old = present(before.get(field.getKey()));
            JsonNode now = present(field.getValue());
            if (now != null && old != null && now.isObject() && old.isObject()) {
                ObjectNode inner = between(old, now);
                if (!inner.isEmpty()) {
                    patch.set(field.getKey(), inner);
                }
            } else if (now != null && (old == null || !now.equals(BY_VALUE, old))) {
                patch.set(field.getKey(), withoutNulls(now));
            }
        });
        before.properties().forEach(field -> {
            if (present(field.getValue()) != null && present(after.get(field.getKey())) == null) {
                patch.putNull(field.getKey());
            }
        });
        return patch;
    }

    /** In a patch a null would delete; inside a new object, and in the items of a list, it would be stored. */
    private static JsonNode withoutNulls(JsonNode value) {
        if (value.isArray()) {
            ArrayNode items = JsonNodeFactory.instance.arrayNode();
            value.forEach(item -> items.add(withoutNulls(item)));
            return items;
        }
        return value.isObject() ? between(JsonNodeFactory.instance.objectNode(), value) : value;
    }

    /** Of what is no list and no map. */
    private static boolean isSame(JsonNode one, JsonNode other) {
        if (!one.isNumber() || !other.isNumber()) {
            return one.equals(other);
        }
        return (one.isIntegralNumber() && other.isIntegralNumber())
                ? one.bigIntegerValue().equals(other.bigIntegerValue())
                : Double.compare(one.doubleValue(), other.doubleValue()) == 0;
    }

    private static @Nullable JsonNode present(@Nullable JsonNode value) {
        return value == null || value.isNull() ? null : value;
    }
}
