package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.patch.PatchException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The items of a set or of a list by keys, each under the path element that tells it apart. */
final class ListItems {

    private ListItems() {}

    /**
     * The items in order.
     *
     * @throws PatchException 500 when two are the same, or a key is missing
     */
    static Map<PathElement, JsonNode> strict(String path, JsonNode list, ListTopology lists) {
        Map<PathElement, JsonNode> items = new LinkedHashMap<>();
        for (int i = 0; i < list.size(); i++) {
            PathElement element = element(list.get(i), lists);
            if (element == null) {
                throw unfit(path + ": element " + i + ": " + whyNot(list.get(i), lists));
            }
            if (items.put(element, list.get(i)) != null) {
                throw unfit(path + ": duplicate entries for key " + element);
            }
        }
        return items;
    }

    /** The items in order, the first of those that are the same; what can't be told apart is left out. */
    static Map<PathElement, JsonNode> lenient(JsonNode list, ListTopology lists) {
        Map<PathElement, JsonNode> items = new LinkedHashMap<>();
        for (JsonNode item : list) {
            PathElement element = element(item, lists);
            if (element != null) {
                items.putIfAbsent(element, item);
            }
        }
        return items;
    }

    /** For each item what tells it apart; null for one that lacks a key, or that is there for the second time. */
    static List<@Nullable PathElement> elements(JsonNode list, ListTopology lists) {
        List<@Nullable PathElement> elements = new ArrayList<>();
        for (JsonNode item : list) {
            PathElement element = element(item, lists);
            elements.add(elements.contains(element) ? null : element);
        }
        return elements;
    }

    /** Null when the item lacks a key. */
    private static @Nullable PathElement element(JsonNode item, ListTopology lists) {
        if (lists.form() == ListTopology.Form.SET) {
            return PathElement.value(item);
        }
        TreeMap<String, JsonNode> keys = new TreeMap<>();
        for (String key : lists.keys()) {
            JsonNode value = key(item, key, lists);
            if (value == null) {
                return null;
            }
            keys.put(key, value);
        }
        return PathElement.key(keys);
    }

    private static @Nullable JsonNode key(JsonNode item, String key, ListTopology lists) {
        return item.has(key) ? item.get(key) : item.isObject() ? lists.keyDefault(key) : null;
    }

    private static String whyNot(JsonNode item, ListTopology lists) {
        if (!item.isObject()) {
            return "associative list with keys may not have non-map elements";
        }
        String missing = lists.keys().stream()
                .filter(key -> key(item, key, lists) == null)
                .findFirst()
                .orElse("");
        return "associative list with keys has an element that omits key field \"" + missing
                + "\" (and doesn't have default value)";
    }

    private static PatchException unfit(String message) {
        return new PatchException(500, "failed to create typed patch object: " + message);
    }
}
