package io.busbar.sandbox.patch;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * JSON Patch, RFC 6902.
 *
 * <p>Strict where the library of Kubernetes 1.20 is lax, as its later releases are: replacing, copying or adding needs
 * a place and a value that exist. Any thread.
 */
public final class JsonPatch {

    private static final int MOST_OPERATIONS = 10_000;

    private JsonPatch() {}

    /**
     * Applies the operations in order.
     *
     * @param document not altered
     * @param patch a list of operations; null stands for an empty one
     * @throws PatchException 400 when the patch is no list of objects, 413 when it is too long, 422 when an operation
     *     fails
     */
    public static JsonNode apply(JsonNode document, JsonNode patch) {
        if (patch.isNull()) {
            return document;
        }
        if (!patch.isArray()) {
            throw GoType.cannotDecode(patch, "[]handlers.jsonPatchOp");
        }
        if (patch.size() > MOST_OPERATIONS) {
            throw new PatchException(
                    413,
                    "The allowed maximum operations in a JSON patch is " + MOST_OPERATIONS + ", got " + patch.size());
        }
        for (JsonNode operation : patch) {
            if (!operation.isObject()) {
                throw GoType.cannotDecode(operation, "handlers.jsonPatchOp");
            }
        }
        JsonNode result = document.deepCopy();
        for (JsonNode operation : patch) {
            try {
                result = apply(result, (ObjectNode) operation);
            } catch (PatchException unfit) {
                throw new PatchException(unfit.code(), String.valueOf(unfit.getMessage()), why(result, operation));
            }
        }
        return result;
    }

    private static JsonNode apply(JsonNode document, ObjectNode operation) {
        JsonPointer path = pointer(operation, "path");
        return switch (operation.path("op").asText()) {
            case "add" -> put(document, path, value(operation), true);
            case "remove" -> remove(document, path);
            case "replace" -> put(document, path, value(operation), false);
            case "move" -> move(document, pointer(operation, "from"), path);
            case "copy" -> put(document, path, copied(document, pointer(operation, "from")), true);
            case "test" -> test(document, path, operation.get("value"));
            default -> throw PatchException.unfit();
        };
    }

    /** @param inserts whether an item of a list comes before the one that is there, and not in its place */
    private static JsonNode put(JsonNode document, JsonPointer path, JsonNode value, boolean inserts) {
        JsonNode parent = parent(document, path);
        String last = path.last().getMatchingProperty();
        if (parent instanceof ObjectNode object) {
            object.set(last, value);
        } else if (parent instanceof ArrayNode array && inserts) {
            array.insert(last.equals("-") ? array.size() : index(last, array.size()), value);
        } else if (parent instanceof ArrayNode array) {
            array.set(index(last, array.size() - 1), value);
        } else {
            throw PatchException.unfit();
        }
        return document;
    }

    private static JsonNode remove(JsonNode document, JsonPointer path) {
        JsonNode parent = parent(document, path);
        String last = path.last().getMatchingProperty();
        if (parent instanceof ObjectNode object) {
            existing(document, path);
            object.remove(last);
        } else if (parent instanceof ArrayNode array) {
            array.remove(index(last, array.size() - 1));
        }
        return document;
    }

    /** A place can't move into itself. */
    private static JsonNode move(JsonNode document, JsonPointer from, JsonPointer to) {
        JsonNode moved = existing(document, from);
        if (from.equals(to)) {
            return document;
        }
        if (to.toString().startsWith(from + "/")) {
            throw PatchException.unfit();
        }
        return put(remove(document, from), to, moved, true);
    }

    /** An absent place equals null, as in the API server. */
    private static JsonNode test(JsonNode document, JsonPointer path, @Nullable JsonNode wanted) {
        JsonNode found = document.at(path);
        boolean nothing = found.isMissingNode() || found.isNull();
        boolean wantsNothing = wanted == null || wanted.isNull();
        if (nothing != wantsNothing || (!nothing && !Equality.equal(found, wanted))) {
            throw PatchException.unfit();
        }
        return document;
    }

    /** A field that an object does not have is copied as null. */
    private static JsonNode copied(JsonNode document, JsonPointer from) {
        boolean field = !from.matches() && existing(document, from.head()).isObject();
        JsonNode found = field ? document.at(from) : existing(document, from);
        return found.isMissingNode() ? NullNode.getInstance() : found.deepCopy();
    }

    private static JsonNode value(ObjectNode operation) {
        JsonNode value = operation.get("value");
        return value == null ? NullNode.getInstance() : value.deepCopy();
    }

    /** The document itself is in nothing. */
    private static JsonNode parent(JsonNode document, JsonPointer path) {
        if (path.matches()) {
            throw PatchException.unfit();
        }
        return existing(document, path.head());
    }

    private static JsonNode existing(JsonNode document, JsonPointer path) {
        JsonNode found = document.at(path);
        if (found.isMissingNode()) {
            throw PatchException.unfit();
        }
        return found;
    }

    private static JsonPointer pointer(ObjectNode operation, String field) {
        JsonNode text = operation.path(field);
        if (!text.isTextual()
                || (!text.textValue().isEmpty() && !text.textValue().startsWith("/"))) {
            throw PatchException.unfit();
        }
        return JsonPointer.compile(text.textValue());
    }

    /** A negative one counts from the end. */
    private static int index(String text, int highest) {
        int index = text.matches("-?[0-9]{1,9}") ? Integer.parseInt(text) : highest + 1;
        if (index > highest || index < -highest - 1) {
            throw PatchException.unfit();
        }
        return index < 0 ? index + highest + 1 : index;
    }

    /** In the words of the library that Kubernetes has for it. */
    private static String why(JsonNode document, JsonNode operation) {
        String name = operation.path("op").asText();
        String path = operation.path("path").asText();
        boolean pointer = path.startsWith("/");
        boolean missing =
                !pointer || document.at(JsonPointer.compile(path).head()).isMissingNode();
        String key = pointer ? JsonPointer.compile(path).last().getMatchingProperty() : path;
        return switch (name) {
            case "remove" ->
                missing
                        ? "remove operation does not apply: doc is missing path: \"" + path + "\": missing value"
                        : "error in remove for path: '" + path + "': Unable to remove nonexistent key: " + key
                                + ": missing value";
            case "replace" ->
                "replace operation does not apply: doc is missing " + (missing ? "path: " : "key: ") + path
                        + ": missing value";
            case "add", "copy", "move" ->
                name + " operation does not apply: doc is missing path: \"" + path + "\": missing value";
            case "test" ->
                missing
                        ? "test operation does not apply: is missing path: " + path + ": missing value"
                        : "testing value " + path + " failed: test failed";
            default -> "Unexpected kind: " + name;
        };
    }
}
