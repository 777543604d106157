package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.patch.Equality;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which value of an object was which before, and whether it is as it was.
 *
 * <p>Any thread. It is what the API server finds out: the items of a list that is a set or atomic are the same only all
 * together, and what the schema does not know is never the same, nor what holds it.
 */
public final class Correlation {

    private Correlation() {}

    /** What an item of a list was before, or null. */
    public static @Nullable JsonNode item(JsonNode list, int index, @Nullable JsonNode old, StructuralSchema schema) {
        if (old == null || !old.isArray()) {
            return null;
        }
        return switch (schema.listTypeName()) {
            case "" -> old.get(index);
            case "map" -> {
                List<String> keys = schema.mapKeys();
                for (JsonNode candidate : old) {
                    if (keys.stream().allMatch(key -> list.get(index).path(key).equals(candidate.path(key)))) {
                        yield candidate;
                    }
                }
                yield null;
            }
            default -> null;
        };
    }

    public static boolean same(JsonNode value, JsonNode old, StructuralSchema schema) {
        if (value.isArray() && old.isArray()) {
            return value.size() == old.size() && sameItems(value, old, schema);
        }
        if (value.isObject() && old.isObject()) {
            return value.size() == old.size() && sameFields(value, old, schema);
        }
        return Equality.equal(value, old);
    }

    private static boolean sameItems(JsonNode value, JsonNode old, StructuralSchema schema) {
        for (int i = 0; i < value.size(); i++) {
            JsonNode before = item(value, i, old, schema);
            if (schema.items() == null || before == null) {
                return !schema.listTypeName().equals("map") && Equality.equal(value, old);
            }
            if (!same(value.get(i), before, schema.items())) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameFields(JsonNode value, JsonNode old, StructuralSchema schema) {
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            StructuralSchema property = schema.of(field.getKey());
            JsonNode before = old.get(field.getKey());
            if (property == null || before == null || !same(field.getValue(), before, property)) {
                return false;
            }
        }
        return true;
    }
}
