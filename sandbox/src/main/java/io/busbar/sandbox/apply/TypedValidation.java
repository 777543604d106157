package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.patch.PatchException;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a configuration that does not fit its kind: fields that it lacks, values of another type, items that are not
 * told apart.
 *
 * <p>One thread. The words are those of sigs.k8s.io/structured-merge-diff.
 */
final class TypedValidation {

    private final List<String> errors = new ArrayList<>();

    private TypedValidation() {}

    /** @throws PatchException 500 */
    static void check(ObjectNode config, ListTopology lists) {
        TypedValidation validation = new TypedValidation();
        validation.value("", config, lists);
        List<String> errors = validation.errors;
        if (!errors.isEmpty()) {
            String apiVersion = config.path("apiVersion").asText();
            JsonNode metadata = config.path("metadata");
            throw new PatchException(
                    500,
                    "failed to create typed patch object ("
                            + metadata.path("namespace").asText() + "/"
                            + metadata.path("name").asText() + "; "
                            + (apiVersion.contains("/") ? "" : "/") + apiVersion + ", Kind="
                            + config.path("kind").asText() + "): "
                            + (errors.size() == 1 ? errors.get(0) : "errors:\n  " + String.join("\n  ", errors)));
        }
    }

    private void value(String path, JsonNode value, ListTopology lists) {
        if (value.isNull()) {
            return;
        }
        String wrong = wrong(value, lists.value());
        if (wrong != null) {
            errors.add(path + ": expected " + wrong);
        } else if (value.isArray()) {
            items(path, value, lists);
        } else {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                String below = path + "." + field.getKey();
                if (lists.takes(field.getKey())) {
                    value(below, field.getValue(), lists.field(field.getKey()));
                } else {
                    errors.add(below + ": field not declared in schema");
                }
            }
        }
    }

    private void items(String path, JsonNode list, ListTopology lists) {
        boolean keyed = Typed.isGranular(list, lists);
        Set<PathElement> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            PathElement element = keyed ? ListItems.element(list.get(i), lists) : PathElement.index(i);
            if (element == null) {
                errors.add(path + ": element " + i + ": " + ListItems.whyNot(list.get(i), lists));
                continue;
            }
            if (!seen.add(element)) {
                errors.add(path + ": duplicate entries for key " + element);
            }
            value(path + element, list.get(i), lists.items());
        }
    }

    private static @Nullable String wrong(JsonNode value, ListTopology.Value expected) {
        return switch (expected) {
            case ANY -> null;
            case TEXT -> value.isTextual() ? null : "string, got " + quoted(value);
            case NUMBER -> value.isNumber() ? null : "numeric (int or float), got " + goType(value);
            case TRUTH -> value.isBoolean() ? null : "boolean, got " + quoted(value);
            case SCALAR -> value.isValueNode() ? null : "any scalar, got " + quoted(value);
            case OBJECT -> value.isObject() ? null : "map, got &{" + GoText.plain(value) + "}";
            case LIST -> value.isArray() ? null : "list, got &{" + GoText.plain(value) + "}";
        };
    }

    private static String quoted(JsonNode value) {
        return "&value.valueUnstructured{Value:" + GoText.badValue(value) + "}";
    }

    private static String goType(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "[]interface {}";
            case OBJECT -> "map[string]interface {}";
            case BOOLEAN -> "bool";
            default -> "string";
        };
    }
}
