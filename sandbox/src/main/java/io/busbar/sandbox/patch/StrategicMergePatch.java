package io.busbar.sandbox.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.syntax.GoText;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Strategic merge patch: a merge patch that merges the lists of built-in kinds by key, and obeys directives.
 *
 * <p>Directives: {@code $patch: replace|delete|merge}, {@code $retainKeys}, {@code $deleteFromPrimitiveList/x},
 * {@code $setElementOrder/x}. Rules and messages are those of apimachinery's strategicpatch package. Any thread.
 */
public final class StrategicMergePatch {

    static final String DIRECTIVE = "$patch";
    private static final String RETAIN = "$retainKeys";
    private static final String DELETE = "$deleteFromPrimitiveList/";
    private static final String ORDER = "$setElementOrder/";

    private StrategicMergePatch() {}

    /**
     * The document with the patch merged into it.
     *
     * @param document not altered
     * @param keys of the document's kind
     * @throws PatchException 400 for a malformed directive, 500 for a directive that is unknown or a merge key that is
     *     missing
     */
    public static ObjectNode apply(ObjectNode document, ObjectNode patch, MergeKeys keys) {
        return merge(document, patch, keys);
    }

    /**
     * As {@link #apply(ObjectNode, ObjectNode, MergeKeys)}, of a patch that may be anything.
     *
     * @throws PatchException 400 also when the patch is neither an object nor null, which changes nothing
     */
    public static ObjectNode applyAny(ObjectNode document, JsonNode patch, MergeKeys keys) {
        if (patch.isNull()) {
            return document;
        }
        if (!(patch instanceof ObjectNode object)) {
            throw GoType.cannotUnmarshal(patch, "map[string]interface {}");
        }
        return merge(document, object, keys);
    }

    static ObjectNode merge(ObjectNode original, ObjectNode patch, MergeKeys keys) {
        JsonNode directive = patch.get(DIRECTIVE);
        if (directive != null) {
            return replaced(patch, directive);
        }
        ObjectNode merged = JsonNodeFactory.instance.objectNode().setAll(original);
        JsonNode retained = patch.get(RETAIN);
        if (retained != null) {
            retain(merged, patch, retained);
        }
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            String name = entry.getKey();
            if (name.startsWith(DELETE)) {
                String field = name.substring(DELETE.length());
                deleteScalars(merged, field, entry.getValue(), keys.field(field));
            } else if (!name.startsWith("$")) {
                mergeField(merged, name, entry.getValue(), keys.field(name));
            }
        }
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            if (entry.getKey().startsWith(ORDER)) {
                String name = entry.getKey().substring(ORDER.length());
                order(merged, name, entry.getValue(), patch.path(name), original, keys.field(name));
            }
        }
        return merged;
    }

    private static ObjectNode replaced(ObjectNode patch, JsonNode directive) {
        return switch (directive.asText()) {
            case "replace" -> (ObjectNode) withoutDirectives(patch);
            case "delete" -> JsonNodeFactory.instance.objectNode();
            default -> throw unknownDirective(directive, patch);
        };
    }

    static PatchException unknownDirective(JsonNode directive, JsonNode patch) {
        return new PatchException(500, "unknown patch type: " + directive.asText() + " in map: " + GoText.plain(patch));
    }

    private static void mergeField(ObjectNode merged, String name, JsonNode patch, MergeKeys keys) {
        JsonNode original = merged.get(name);
        if (patch.isNull()) {
            merged.remove(name);
        } else if (original instanceof ObjectNode object && patch instanceof ObjectNode change && !keys.replaces()) {
            merged.set(name, merge(object, change, keys));
        } else if (patch instanceof ArrayNode changes && (keys.mergeKey() != null || keys.mergesScalars())) {
            merged.set(
                    name,
                    original instanceof ArrayNode list
                            ? ListMerge.merge(list, changes, keys)
                            : withoutDirectives(ListMerge.anew(changes)));
        } else {
            merged.set(name, withoutDirectives(patch));
        }
    }

    private static void retain(ObjectNode merged, ObjectNode patch, JsonNode retained) {
        Set<String> names = new HashSet<>();
        list(retained, "retainKeys").forEach(name -> names.add(name.asText()));
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            if (!entry.getKey().startsWith("$") && !entry.getValue().isNull() && !names.contains(entry.getKey())) {
                throw PatchException.malformed("invalid patch format of retainKeys");
            }
        }
        merged.retain(names);
    }

    /** What is to be deleted from a list that does not merge takes its place: so it is in the API server. */
    private static void deleteScalars(ObjectNode merged, String name, JsonNode deleted, MergeKeys keys) {
        ArrayNode unwanted = list(deleted, "primitive list");
        if (merged.get(name) instanceof ArrayNode && !keys.mergesScalars()) {
            merged.set(name, deleted);
        } else if (merged.get(name) instanceof ArrayNode list) {
            ArrayNode kept = JsonNodeFactory.instance.arrayNode();
            list.forEach(item -> {
                if (!ListMerge.contains(unwanted, item, null)) {
                    kept.add(item);
                }
            });
            merged.set(name, kept);
        }
    }

    private static void order(
            ObjectNode merged, String name, JsonNode wanted, JsonNode patch, ObjectNode original, MergeKeys keys) {
        if (!(wanted instanceof ArrayNode order)) {
            throw new PatchException(500, "expected a []interface {}, but received a " + GoType.decoded(wanted));
        }
        ListMerge.requireOrder(patch, order, keys.mergeKey());
        if (merged.get(name) instanceof ArrayNode list) {
            JsonNode before = original.path(name);
            merged.set(name, ListMerge.ordered(list, order, before, keys.mergeKey()));
        }
    }

    private static ArrayNode list(JsonNode value, String what) {
        if (value instanceof ArrayNode list) {
            return list;
        }
        throw PatchException.malformed("invalid patch format of " + what);
    }

    /** What a patch brings anew: its nulls and directives mean nothing there. */
    static JsonNode withoutDirectives(@Nullable JsonNode patch) {
        if (patch instanceof ObjectNode object) {
            ObjectNode plain = JsonNodeFactory.instance.objectNode();
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                if (!entry.getKey().startsWith("$") && !entry.getValue().isNull()) {
                    plain.set(entry.getKey(), withoutDirectives(entry.getValue()));
                }
            }
            return plain;
        }
        if (patch instanceof ArrayNode array) {
            ArrayNode plain = JsonNodeFactory.instance.arrayNode();
            array.forEach(item -> plain.add(withoutDirectives(item)));
            return plain;
        }
        return patch == null ? JsonNodeFactory.instance.nullNode() : patch;
    }
}
