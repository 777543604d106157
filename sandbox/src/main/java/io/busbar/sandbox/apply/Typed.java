package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Values walked together with the shape of their lists. Nothing passed in is altered. Any thread. */
final class Typed {

    private Typed() {}

    static ListTopology below(ListTopology lists, PathElement element) {
        return element.kind() == PathElement.Kind.FIELD ? lists.field(element.content()) : lists.items();
    }

    /** Whether the parts of a value have owners of their own. */
    static boolean isGranular(JsonNode value, ListTopology lists) {
        return value.isObject()
                ? lists.form() != ListTopology.Form.ATOMIC
                : value.isArray() && (lists.form() == ListTopology.Form.SET || lists.form() == ListTopology.Form.MAP);
    }

    /** The fields that a value names. */
    static FieldSet fields(JsonNode value, ListTopology lists) {
        if (!isGranular(value, lists)) {
            return FieldSet.LEAF;
        }
        TreeMap<PathElement, FieldSet> children = new TreeMap<>();
        if (value.isArray()) {
            ListItems.lenient(value, lists)
                    .forEach((element, item) -> children.put(element, itself(fields(item, lists.items()))));
        } else {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                JsonNode content = field.getValue();
                FieldSet below = fields(content, lists.field(field.getKey()));
                boolean owned = content.isNull()
                        || (content.isObject() && content.isEmpty())
                        || !lists.declares(field.getKey());
                children.put(PathElement.field(field.getKey()), owned ? itself(below) : below);
            }
            children.values().removeIf(FieldSet::isEmpty);
        }
        return new FieldSet(false, children);
    }

    private static FieldSet itself(FieldSet set) {
        return new FieldSet(true, set.children());
    }

    /**
     * The live value with the configuration laid over it. A null takes the place of a scalar, and says nothing of a map
     * or a list.
     */
    static JsonNode merge(@Nullable JsonNode live, JsonNode config, ListTopology lists) {
        if (config.isNull()) {
            return live != null && !live.isEmpty() && isGranular(live, lists) ? live : config;
        }
        if (!isGranular(config, lists) || (config.isEmpty() && (live == null || live.isEmpty()))) {
            return config;
        }
        return config.isArray()
                ? mergeLists(
                        live instanceof ArrayNode list ? list : JsonNodeFactory.instance.arrayNode(), config, lists)
                : mergeObjects(live instanceof ObjectNode object ? object : null, config, lists);
    }

    private static ObjectNode mergeObjects(@Nullable ObjectNode live, JsonNode config, ListTopology lists) {
        ObjectNode merged = JsonNodeFactory.instance.objectNode();
        if (live != null) {
            merged.setAll(live);
        }
        for (Map.Entry<String, JsonNode> field : config.properties()) {
            merged.set(
                    field.getKey(), merge(merged.get(field.getKey()), field.getValue(), lists.field(field.getKey())));
        }
        return merged;
    }

    /** The order is the configuration's; what only the live list has stays before that which it stood before. */
    private static ArrayNode mergeLists(ArrayNode live, JsonNode config, ListTopology lists) {
        Map<PathElement, JsonNode> wanted = ListItems.lenient(config, lists);
        Map<PathElement, JsonNode> there = ListItems.lenient(live, lists);
        List<@Nullable PathElement> old = ListItems.elements(live, lists);
        List<PathElement> now = List.copyOf(wanted.keySet());
        Deque<PathElement> shared = new ArrayDeque<>(now);
        shared.removeIf(element -> !there.containsKey(element));
        Set<PathElement> done = new HashSet<>();
        ArrayNode merged = JsonNodeFactory.instance.arrayNode();
        int left = 0;
        int right = 0;
        while (left < old.size() || right < now.size()) {
            PathElement mine = left < old.size() ? old.get(left) : null;
            boolean both = mine != null && wanted.containsKey(mine);
            boolean meet = both && right < now.size() && now.get(right).equals(mine);
            if (both && !meet && right < now.size() && !shared.isEmpty() && !Objects.equals(mine, shared.peek())) {
                left++; // Comes where the configuration has it.
                continue;
            }
            if (left < old.size() && !both) {
                merged.add(live.get(left++));
                continue;
            }
            if (both && (meet || done.contains(mine))) {
                left++;
            }
            if (right < now.size()) {
                PathElement next = now.get(right++);
                merged.add(merge(there.get(next), Objects.requireNonNull(wanted.get(next)), lists.items()));
                done.add(next);
                if (next.equals(shared.peek())) {
                    shared.remove();
                }
            }
        }
        return merged;
    }

    /** The value without the places in a set. */
    static JsonNode remove(JsonNode value, FieldSet removed, ListTopology lists) {
        if (removed.children().isEmpty() || !isGranular(value, lists)) {
            return value;
        }
        return value.isArray() ? removeItems(value, removed, lists) : removeFields(value, removed, lists);
    }

    private static ObjectNode removeFields(JsonNode object, FieldSet removed, ListTopology lists) {
        ObjectNode kept = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            FieldSet below = removed.child(PathElement.field(field.getKey()));
            if (!below.member()) {
                kept.set(field.getKey(), remove(field.getValue(), below, lists.field(field.getKey())));
            }
        }
        return kept;
    }

    private static ArrayNode removeItems(JsonNode list, FieldSet removed, ListTopology lists) {
        List<@Nullable PathElement> elements = ListItems.elements(list, lists);
        ArrayNode kept = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < list.size(); i++) {
            PathElement element = elements.get(i);
            FieldSet below = element == null ? FieldSet.EMPTY : removed.child(element);
            if (!below.member()) {
                kept.add(remove(list.get(i), below, lists.items()));
            }
        }
        return kept;
    }
}
