package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lists that are sets or maps hold nothing twice: the second of its kind is told, not the third. Any thread. */
final class Uniqueness {

    private Uniqueness() {}

    static List<FieldCause> check(String path, JsonNode value, StructuralSchema schema) {
        Causes causes = new Causes();
        check(path, value, schema, causes);
        return causes.list();
    }

    private static void check(String path, JsonNode value, StructuralSchema schema, Causes causes) {
        if (value instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                StructuralSchema property = schema.of(field.getKey());
                if (property != null) {
                    check(Validation.child(path, field.getKey()), field.getValue(), property, causes);
                }
            }
        } else if (value instanceof ArrayNode list && schema.items() != null) {
            if (schema.listType() != StructuralSchema.ListType.ATOMIC) {
                checkList(path, list, schema, causes);
            }
            for (int i = 0; i < list.size(); i++) {
                check(path + "[" + i + "]", list.get(i), schema.items(), causes);
            }
        }
    }

    private static void checkList(String path, ArrayNode list, StructuralSchema schema, Causes causes) {
        Map<JsonNode, Integer> times = new HashMap<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode identity = schema.listType() == StructuralSchema.ListType.SET
                    ? list.get(i)
                    : keys(list.get(i), schema.mapKeys());
            if (times.merge(identity, 1, Integer::sum) == 2) {
                causes.duplicate(path + "[" + i + "]", GoText.inOrder(identity));
            }
        }
    }

    private static ObjectNode keys(JsonNode item, List<String> names) {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        for (String name : names) {
            if (item.has(name)) {
                keys.set(name, item.get(name));
            }
        }
        return keys;
    }

    static boolean hasDuplicates(JsonNode list) {
        List<JsonNode> seen = new ArrayList<>();
        for (JsonNode item : list) {
            if (seen.stream().anyMatch(other -> Types.equal(other, item))) {
                return true;
            }
            seen.add(item);
        }
        return false;
    }
}
