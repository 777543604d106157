package io.busbar.operator.sidecarset.pod;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.operator.sidecarset.hash.GoJson;
import io.busbar.operator.sidecarset.v1beta1.PodMetadataPatch;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The annotations that a set wants its Pods to have.
 *
 * <p>Pure functions, any thread. Source of the rules: OpenKruise.
 */
public final class MetadataPatches {

    private static final ObjectMapper JSON = new ObjectMapper();

    private MetadataPatches() {}

    /**
     * Applies patches in their order.
     *
     * @param annotations a Pod's annotations, changed in place
     * @throws UnreadableAnnotationException when a JSON document is to be merged into what is none
     */
    public static void apply(List<PodMetadataPatch> patches, Map<String, String> annotations)
            throws UnreadableAnnotationException {
        for (PodMetadataPatch patch : patches) {
            for (Map.Entry<String, String> wanted : new TreeMap<>(patch.annotations()).entrySet()) {
                apply(patch.patchPolicy(), wanted.getKey(), wanted.getValue(), annotations);
            }
        }
    }

    private static void apply(@Nullable String policy, String name, String value, Map<String, String> annotations)
            throws UnreadableAnnotationException {
        if (PodMetadataPatch.OVERWRITE.equals(policy)) {
            annotations.put(name, value);
        } else if (PodMetadataPatch.MERGE_PATCH_JSON.equals(policy)) {
            annotations.put(name, merged(name, annotations.getOrDefault(name, ""), value));
        } else {
            annotations.putIfAbsent(name, value);
        }
    }

    /** Into nothing the patch goes as it is written; else it is applied by RFC 7396, and written as Go would. */
    private static String merged(String name, String document, String patch) throws UnreadableAnnotationException {
        if (document.isEmpty()) {
            return patch;
        }
        return GoJson.write(sorted(merged(read(name, document), read(name, patch))));
    }

    private static JsonNode merged(JsonNode document, JsonNode patch) {
        if (!patch.isObject()) {
            return patch;
        }
        ObjectNode result = document.isObject() ? document.deepCopy() : JSON.createObjectNode();
        patch.properties().forEach(member -> {
            if (member.getValue().isNull()) {
                result.remove(member.getKey());
            } else {
                result.set(member.getKey(), merged(result.path(member.getKey()), member.getValue()));
            }
        });
        return result;
    }

    private static JsonNode sorted(JsonNode node) {
        if (!node.isObject()) {
            return node;
        }
        Map<String, JsonNode> members = new TreeMap<>();
        node.properties().forEach(member -> members.put(member.getKey(), sorted(member.getValue())));
        ObjectNode result = JSON.createObjectNode();
        members.forEach(result::set);
        return result;
    }

    private static JsonNode read(String name, String text) throws UnreadableAnnotationException {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException malformed) {
            throw new UnreadableAnnotationException(name, text, "Invalid JSON Document", malformed);
        }
    }
}
