package io.busbar.operator.sidecarset.defaulting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;

/**
 * Defaults of fields, a line each: {@code path = value}, where {@code []} in a path stands for each item of a list.
 *
 * <p>A default is set where the field is absent or an empty text, and what holds it is there. Immutable.
 */
final class DefaultsTable {

    private final List<Map.Entry<List<String>, JsonNode>> defaults;

    private DefaultsTable(List<Map.Entry<List<String>, JsonNode>> defaults) {
        this.defaults = defaults;
    }

    static DefaultsTable parse(String text) {
        return new DefaultsTable(text.lines().map(DefaultsTable::line).toList());
    }

    private static Map.Entry<List<String>, JsonNode> line(String line) {
        int at = line.indexOf(" = ");
        String value = line.substring(at + 3);
        List<String> path = List.of(line.substring(0, at).replace("[]", ".[]").split("\\.", -1));
        return Map.entry(
                path,
                value.startsWith("\"")
                        ? TextNode.valueOf(value.substring(1, value.length() - 1))
                        : IntNode.valueOf(Integer.parseInt(value)));
    }

    /** Sets the defaults in an object, in place. */
    void applyTo(ObjectNode object) {
        defaults.forEach(entry -> apply(object, entry.getKey(), entry.getValue()));
    }

    private static void apply(JsonNode holder, List<String> path, JsonNode value) {
        String step = path.get(0);
        List<String> rest = path.subList(1, path.size());
        if (step.equals("[]")) {
            holder.forEach(item -> apply(item, rest, value));
        } else if (holder instanceof ObjectNode object) {
            JsonNode field = object.path(step);
            if (!rest.isEmpty()) {
                apply(field, rest, value);
            } else if (field.isMissingNode()
                    || field.isNull()
                    || (field.isTextual() && field.textValue().isEmpty())) {
                object.set(step, value);
            }
        }
    }
}
