package io.busbar.admission.patch;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Applies a JSON Patch as RFC 6902 tells, by Jackson's JSON Pointers. (The Kubernetes client's own implementation reads
 * {@code ~01} as {@code /}.) Knows add, remove, replace and test.
 */
public final class PatchedJson {

    private PatchedJson() {}

    public static JsonNode of(JsonNode document, JsonNode patch) {
        JsonNode result = document.deepCopy();
        for (JsonNode operation : patch) {
            result = apply(result, operation);
        }
        return result;
    }

    private static JsonNode apply(JsonNode document, JsonNode operation) {
        JsonPointer path = JsonPointer.compile(operation.get("path").textValue());
        String op = operation.get("op").textValue();
        JsonNode value = operation.get("value");
        if (op.equals("test")) {
            require(document.at(path).equals(value), "test of " + path);
            return document;
        }
        if (!op.equals("add")) {
            require(!document.at(path).isMissingNode(), "nothing at " + path);
        }
        if (path.matches()) {
            return value;
        }
        JsonNode parent = document.at(path.head());
        String last = path.last().getMatchingProperty();
        if (parent instanceof ObjectNode object) {
            change(object, op, last, value);
        } else {
            change((ArrayNode) parent, op, Integer.parseInt(last), value);
        }
        return document;
    }

    private static void change(ObjectNode parent, String op, String name, JsonNode value) {
        if (op.equals("remove")) {
            parent.remove(name);
        } else {
            parent.set(name, value.deepCopy());
        }
    }

    private static void change(ArrayNode parent, String op, int index, JsonNode value) {
        switch (op) {
            case "remove" -> parent.remove(index);
            case "replace" -> parent.set(index, value.deepCopy());
            default -> {
                require(index <= parent.size(), "index " + index + " of " + parent.size());
                parent.insert(index, value.deepCopy());
            }
        }
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalArgumentException("the patch does not apply: " + what);
        }
    }
}
