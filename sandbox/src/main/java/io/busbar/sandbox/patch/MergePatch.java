package io.busbar.sandbox.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON Merge Patch, RFC 7386: objects merge, null removes, everything else replaces.
 *
 * <p>Any thread.
 */
public final class MergePatch {

    private MergePatch() {}

    /**
     * The document with the patch merged into it.
     *
     * @param document not altered
     * @throws PatchException when the patch is no object, which the RFC allows and the API server does not
     */
    public static JsonNode apply(JsonNode document, JsonNode patch) {
        if (!patch.isObject()) {
            throw new PatchException(500, "Invalid JSON Patch");
        }
        return merge(document, patch);
    }

    static JsonNode merge(@Nullable JsonNode document, JsonNode patch) {
        if (!patch.isObject()) {
            return patch.deepCopy();
        }
        ObjectNode merged =
                document instanceof ObjectNode object ? copy(object) : JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            if (field.getValue().isNull()) {
                merged.remove(field.getKey());
            } else {
                merged.set(field.getKey(), merge(merged.get(field.getKey()), field.getValue()));
            }
        }
        return merged;
    }

    /** Shallow: what the patch does not touch is shared. */
    private static ObjectNode copy(ObjectNode object) {
        return JsonNodeFactory.instance.objectNode().setAll(object);
    }
}
