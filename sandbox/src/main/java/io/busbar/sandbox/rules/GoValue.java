package io.busbar.sandbox.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.model.WireMessages;
import io.busbar.sandbox.model.WireMessages.Field;
import io.busbar.sandbox.syntax.GoText;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A bad value as the API server's messages show it: JSON, of most types under the names that Go has for their fields.
 *
 * <p>Any thread. The server validates its internal types, which have no names for JSON; those of meta.v1 are the same
 * inside.
 */
final class GoValue {

    private GoValue() {}

    static String quoted(Collection<String> values) {
        return values.stream().map(GoText::quote).collect(Collectors.joining(", "));
    }

    static String shown(String type, JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "null";
        }
        return value.isContainerNode() ? json(type, value) : GoText.badValue(value);
    }

    private static String json(String type, JsonNode value) {
        if (value.isArray()) {
            StringBuilder list = new StringBuilder("[");
            value.forEach(item -> list.append(list.length() > 1 ? "," : "").append(json(type, item)));
            return list.append(']').toString();
        }
        if (value.isObject() && WireMessages.isKnown(type) && !type.startsWith("meta.v1.")) {
            return struct(type, value);
        }
        if (value.isObject()) {
            Map<String, String> entries = new TreeMap<>();
            value.properties().forEach(entry -> entries.put(entry.getKey(), json(type, entry.getValue())));
            return entries.entrySet().stream()
                    .map(entry -> GoText.quote(entry.getKey()) + ":" + entry.getValue())
                    .collect(Collectors.joining(",", "{", "}"));
        }
        return value.toString();
    }

    private static String struct(String type, JsonNode value) {
        return WireMessages.named(type).values().stream()
                .map(field -> GoText.quote(goName(field.name())) + ":" + field(field, value.path(field.name())))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String field(Field field, JsonNode value) {
        if (!value.isMissingNode() && !value.isNull()) {
            return json(field.type(), value);
        }
        if (field.repeated() || field.map() || field.kept() || "y".equals(field.type())) {
            return "null";
        }
        return switch (field.type()) {
            case "s" -> "\"\"";
            case "i", "l", "d", "IntOrString" -> "0";
            case "b" -> "false";
            default -> "null";
        };
    }

    private static String goName(String name) {
        if (name.startsWith("api")) {
            return "API" + name.substring(3);
        }
        String upper = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        return name.equals("ip") || name.equals("uid") ? name.toUpperCase(Locale.ROOT) : upper;
    }
}
