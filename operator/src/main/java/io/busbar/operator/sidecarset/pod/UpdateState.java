package io.busbar.operator.sidecarset.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What ran in a Pod before a set was last rolled out in it, so that the kubelet's word on the old image is not taken
 * for the new one.
 *
 * <p>Immutable. Source of the form: OpenKruise's {@code InPlaceUpdateState}.
 *
 * @param revision hash of the set that was rolled out
 * @param updateTimestamp RFC 3339 in whole seconds
 * @param lastImageIds imageID that each changed container had, by its name; empty where it had none
 */
public record UpdateState(String revision, String updateTimestamp, SortedMap<String, String> lastImageIds) {

    private static final String STATUSES = "lastContainerStatuses";
    private static final String IMAGE_ID = "imageID";

    public UpdateState {
        lastImageIds = Collections.unmodifiableSortedMap(new TreeMap<>(lastImageIds));
    }

    /** The imageIDs alone, of one set's entry in the annotation; empty where there is no entry. */
    public static Map<String, String> lastImageIds(SetEntries annotation, String set) {
        JsonNode statuses =
                annotation.entry(set).map(entry -> entry.path(STATUSES)).orElse(JsonNodeFactory.instance.missingNode());
        if (statuses.isEmpty()) {
            return Map.of();
        }
        Map<String, String> result = new TreeMap<>();
        statuses.properties()
                .forEach(status -> result.put(
                        status.getKey(), status.getValue().path(IMAGE_ID).asText()));
        return result;
    }

    /** Hash of the set that was rolled out last; empty where there is no entry. */
    public static String revision(SetEntries annotation, String set) {
        return annotation
                .entry(set)
                .map(entry -> entry.path("revision").asText())
                .orElse("");
    }

    public ObjectNode json() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("revision", revision);
        node.put("updateTimestamp", updateTimestamp);
        ObjectNode statuses = node.putObject(STATUSES);
        lastImageIds.forEach((container, id) -> statuses.putObject(container).put(IMAGE_ID, id));
        return node;
    }
}
