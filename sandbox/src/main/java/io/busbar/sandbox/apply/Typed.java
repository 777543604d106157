package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.patch.PatchException;
import java.util.List;
import java.util.Map;
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

    /**
     * The fields that a configuration names.
     *
     * @throws PatchException 500 when a list holds an item twice, or one without its key
     */
    static FieldSet fields(String path, JsonNode value, ListTopology lists) {
        if (!isGranular(value, lists)) {
            return FieldSet.LEAF;
        }
        TreeMap<PathElement, FieldSet> children = new TreeMap<>();
        if (value.isArray()) {
            ListItems.strict(path, value, lists)
                    .forEach((element, item) ->
                            children.put(element, itself(fields(path + element, item, lists.items()))));
        } else {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                PathElement element = PathElement.field(field.getKey());
                FieldSet below = fields(path + element, field.getValue(), lists.field(field.getKey()));
                boolean owned = field.getValue().isEmpty() || !lists.declares(field.getKey());
                children.put(element, owned ? itself(below) : below);
            }
            children.values().removeIf(FieldSet::isEmpty);
        }
        return new FieldSet(false, children);
    }

    private static FieldSet itself(FieldSet set) {
        return new FieldSet(true, set.children());
    }

    /**
     * The live value with the configuration laid over it; new items come after those that are there. A null takes the place of a
     * scalar, and says nothing of a map or a list.
     */
    static @Nullable JsonNode merge(@Nullable JsonNode live, JsonNode config, ListTopology lists) {
        if (config.isNull()) {
            return live != null && isGranular(live, lists) ? live : null;
        }
        if (!isGranular(config, lists)) {
            return config;
        }
        return config.isArray()
                ? mergeLists(live instanceof ArrayNode list ? list : null, config, lists)
                : mergeObjects(live instanceof ObjectNode object ? object : null, config, lists);
    }

    private static ObjectNode mergeObjects(@Nullable ObjectNode live, JsonNode config, ListTopology lists) {
        ObjectNode merged = JsonNodeFactory.instance.objectNode();
        if (live != null) {
            merged.setAll(live);
        }
        for (Map.Entry<String, JsonNode> field : config.properties()) {
            JsonNode value = merge(merged.get(field.getKey()), field.getValue(), lists.field(field.getKey()));
            if (value == null) {
                merged.remove(field.getKey());
            } else {
                merged.set(field.getKey(), value);
            }
        }
        return merged;
    }

    private static ArrayNode mergeLists(@Nullable ArrayNode live, JsonNode config, ListTopology lists) {
        Map<PathElement, JsonNode> changes = ListItems.strict("", config, lists);
        ArrayNode merged = JsonNodeFactory.instance.arrayNode();
        if (live != null) {
            List<@Nullable PathElement> elements = ListItems.elements(live, lists);
            for (int i = 0; i < live.size(); i++) {
                PathElement element = elements.get(i);
                JsonNode change = element == null ? null : changes.remove(element);
                JsonNode result = change == null ? live.get(i) : merge(live.get(i), change, lists.items());
                if (result != null) {
                    merged.add(result);
                }
            }
        }
        changes.values().forEach(change -> {
            JsonNode added = merge(null, change, lists.items());
            if (added != null) {
                merged.add(added);
            }
        });
        return merged;
    }

    /** The value without the places in a set; an object's field that is emptied by it goes as well, unless it is owned itself. */
    static JsonNode remove(JsonNode value, FieldSet removed, FieldSet owned, ListTopology lists) {
        if (removed.children().isEmpty() || !isGranular(value, lists)) {
            return value;
        }
        return value.isArray() ? removeItems(value, removed, owned, lists) : removeFields(value, removed, owned, lists);
    }

    private static ObjectNode removeFields(JsonNode object, FieldSet removed, FieldSet owned, ListTopology lists) {
        ObjectNode kept = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            PathElement element = PathElement.field(field.getKey());
            FieldSet below = removed.child(element);
            if (!below.member()) {
                FieldSet ownedBelow = owned.child(element);
                JsonNode value = remove(field.getValue(), below, ownedBelow, lists.field(field.getKey()));
                if (!value.isEmpty() || field.getValue().isEmpty() || ownedBelow.member()) {
                    kept.set(field.getKey(), value);
                }
            }
        }
        return kept;
    }

    private static ArrayNode removeItems(JsonNode list, FieldSet removed, FieldSet owned, ListTopology lists) {
        List<@Nullable PathElement> elements = ListItems.elements(list, lists);
        ArrayNode kept = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < list.size(); i++) {
            PathElement element = elements.get(i);
            FieldSet below = element == null ? FieldSet.EMPTY : removed.child(element);
            if (!below.member()) {
                FieldSet ownedBelow = element == null ? FieldSet.EMPTY : owned.child(element);
                kept.add(remove(list.get(i), below, ownedBelow, lists.items()));
            }
        }
        return kept;
    }
}
