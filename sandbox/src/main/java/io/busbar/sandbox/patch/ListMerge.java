package io.busbar.sandbox.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges a list of a strategic merge patch into a list of the object, and orders the outcome.
 *
 * <p>Items of the patch keep the patch's order, the others the object's; where the object knew both, its order decides,
 * else the patch's items come first. Any thread.
 */
final class ListMerge {

    private ListMerge() {}

    static ArrayNode merge(ArrayNode original, ArrayNode patch, MergeKeys keys) {
        requireOneType(original, patch);
        String key = keys.mergeKey();
        if (key == null) {
            ArrayNode merged = distinct(original, patch);
            return ordered(merged, patch, original, null);
        }
        List<ObjectNode> items = new ArrayList<>();
        boolean replace = false;
        ArrayNode kept = original;
        for (JsonNode item : patch) {
            if (!(item instanceof ObjectNode object)) {
                throw PatchException.malformed("invalid patch format of list of maps");
            }
            JsonNode directive = object.get(StrategicMergePatch.DIRECTIVE);
            switch (directive == null ? "merge" : directive.asText()) {
                case "delete" -> kept = without(kept, object, key);
                case "replace" -> replace = true;
                case "merge" -> {
                    if (directive != null) {
                        throw new PatchException(500, "merging lists cannot yet be specified in the patch");
                    }
                    items.add(object);
                }
                default -> throw StrategicMergePatch.unknownDirective(item.path("$patch"), object);
            }
        }
        ArrayNode changes = JsonNodeFactory.instance.arrayNode().addAll(items);
        if (replace) {
            return (ArrayNode) StrategicMergePatch.withoutDirectives(changes);
        }
        return ordered(mergeByKey(kept, items, key, keys.items()), changes, original, key);
    }

    /** What a patch has for a list that is not there. */
    static ArrayNode anew(ArrayNode patch) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        patch.forEach(item -> {
            if (!List.of("delete", "replace")
                    .contains(item.path(StrategicMergePatch.DIRECTIVE).asText())) {
                list.add(item);
            }
        });
        return list;
    }

    private static void requireOneType(ArrayNode original, ArrayNode patch) {
        Set<String> types = new HashSet<>();
        List.of(original, patch).forEach(list -> list.forEach(item -> types.add(GoType.decoded(item))));
        if (!original.isEmpty() && types.size() > 1) {
            throw new PatchException(
                    500,
                    "list element types are not identical: [" + GoText.plain(original) + " " + GoText.plain(patch)
                            + "]");
        }
    }

    /** Items of a patch come in the order that it wants; those that it deletes come in none. */
    static void requireOrder(JsonNode patch, ArrayNode order, @Nullable String key) {
        List<JsonNode> items = new ArrayList<>();
        patch.forEach(item -> {
            if (!item.path(StrategicMergePatch.DIRECTIVE).asText().equals("delete")) {
                items.add(item);
            }
        });
        int next = 0;
        for (JsonNode place : order) {
            if (key != null && place instanceof ObjectNode object) {
                requireKey(object, key);
            }
            if (next < items.size() && same(items.get(next), place, key)) {
                next++;
            }
        }
        if (next < items.size()) {
            throw new PatchException(
                    500,
                    "The order in patch list:\n" + GoText.plain(patch) + "\n doesn't match $setElementOrder list:\n"
                            + GoText.plain(order) + "\n");
        }
    }

    private static ArrayNode distinct(ArrayNode original, ArrayNode patch) {
        ArrayNode merged = JsonNodeFactory.instance.arrayNode();
        for (ArrayNode list : List.of(original, patch)) {
            for (JsonNode item : list) {
                if (!contains(merged, item, null)) {
                    merged.add(item);
                }
            }
        }
        return merged;
    }

    private static ArrayNode without(ArrayNode list, ObjectNode deleted, String key) {
        requireKey(deleted, key);
        ArrayNode kept = JsonNodeFactory.instance.arrayNode();
        list.forEach(item -> {
            if (!same(item, deleted, key)) {
                kept.add(item);
            }
        });
        return kept;
    }

    private static ArrayNode mergeByKey(ArrayNode original, List<ObjectNode> patch, String key, MergeKeys keys) {
        ArrayNode merged = JsonNodeFactory.instance.arrayNode().addAll(original);
        for (ObjectNode change : patch) {
            requireKey(change, key);
            int at = indexOf(merged, change, key);
            if (at >= 0 && merged.get(at) instanceof ObjectNode item) {
                merged.set(at, StrategicMergePatch.merge(item, change, keys));
            } else {
                merged.add(StrategicMergePatch.withoutDirectives(change));
            }
        }
        return merged;
    }

    private static void requireKey(ObjectNode item, String key) {
        if (!item.has(key)) {
            throw new PatchException(
                    500, "map: " + GoText.plain(item) + " does not contain declared merge key: " + key);
        }
    }

    /** The items in the patch's order, with those that it does not name put in where the object had them. */
    static ArrayNode ordered(ArrayNode items, JsonNode patchOrder, JsonNode objectOrder, @Nullable String key) {
        List<JsonNode> named = new ArrayList<>();
        List<JsonNode> others = new ArrayList<>();
        items.forEach(item -> (contains(patchOrder, item, key) ? named : others).add(item));
        named.sort(Comparator.comparingInt(item -> indexOf(patchOrder, item, key)));
        others.sort(Comparator.comparingInt(item -> indexOf(objectOrder, item, key)));
        ArrayNode result = JsonNodeFactory.instance.arrayNode();
        int next = 0;
        for (JsonNode item : named) {
            int place = indexOf(objectOrder, item, key);
            while (place >= 0 && next < others.size() && isBefore(objectOrder, others.get(next), place, key)) {
                result.add(others.get(next++));
            }
            result.add(item);
        }
        return result.addAll(others.subList(next, others.size()));
    }

    private static boolean isBefore(JsonNode order, JsonNode item, int place, @Nullable String key) {
        int own = indexOf(order, item, key);
        return own >= 0 && own < place;
    }

    static boolean contains(JsonNode list, JsonNode item, @Nullable String key) {
        return indexOf(list, item, key) >= 0;
    }

    private static int indexOf(JsonNode list, JsonNode item, @Nullable String key) {
        for (int i = 0; i < list.size(); i++) {
            if (same(list.get(i), item, key)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean same(JsonNode a, JsonNode b, @Nullable String key) {
        return key == null
                ? Equality.equal(a, b)
                : a.has(key)
                        && b.has(key)
                        && a.get(key).asText().equals(b.get(key).asText());
    }
}
