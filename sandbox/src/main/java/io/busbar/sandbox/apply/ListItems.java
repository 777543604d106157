package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The items of a set or of a list by keys, each under the path element that tells it apart. */
final class ListItems {

    private ListItems() {}

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

    /** For each item what tells it apart, or null. */
    static List<@Nullable PathElement> elements(JsonNode list, ListTopology lists) {
        List<@Nullable PathElement> elements = new ArrayList<>();
        list.forEach(item -> elements.add(element(item, lists)));
        return elements;
    }

    /** What tells an item apart: the keys that it has, by itself or by default; null when it has none of them. */
    static @Nullable PathElement element(JsonNode item, ListTopology lists) {
        if (lists.form() == ListTopology.Form.SET) {
            return item.isValueNode() && !item.isNull() ? PathElement.value(item) : null;
        }
        TreeMap<String, JsonNode> keys = new TreeMap<>();
        for (String key : lists.keys()) {
            JsonNode value = key(item, key, lists);
            if (value != null) {
                keys.put(key, value);
            }
        }
        return keys.isEmpty() ? null : PathElement.key(keys);
    }

    private static @Nullable JsonNode key(JsonNode item, String key, ListTopology lists) {
        return item.has(key) ? item.get(key) : item.isObject() ? lists.keyDefault(key) : null;
    }

    /** Why {@link #element} finds nothing. */
    static String whyNot(JsonNode item, ListTopology lists) {
        if (lists.form() == ListTopology.Form.SET) {
            return item.isObject()
                    ? "associative list without keys has an element that's a map type"
                    : item.isArray()
                            ? "not supported: associative list with lists as elements"
                            : "associative list without keys has an element that's an explicit null";
        }
        if (!item.isObject()) {
            return "associative list with keys may not have " + (item.isNull() ? "a null element" : "non-map elements");
        }
        return "associative list with keys has an element that omits all key fields "
                + lists.keys().stream().map(GoText::quote).collect(Collectors.joining(" ", "[", "]"))
                + " (and doesn't have default values for any key fields)";
    }
}
