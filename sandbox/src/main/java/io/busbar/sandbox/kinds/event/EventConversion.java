package io.busbar.sandbox.kinds.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.resource.Conversion;
import java.util.HashMap;
import java.util.Map;

/**
 * Events are one store with two faces: kept as {@code v1}, also served as {@code events.k8s.io/v1}.
 *
 * <p>Immutable. The names are those of Kubernetes' {@code pkg/apis/events/v1/conversion.go}.
 */
public final class EventConversion {

    private static final Map<String, String> TO_STORED = Map.of(
            "regarding", "involvedObject",
            "note", "message",
            "reportingController", "reportingComponent",
            "deprecatedSource", "source",
            "deprecatedFirstTimestamp", "firstTimestamp",
            "deprecatedLastTimestamp", "lastTimestamp",
            "deprecatedCount", "count");
    private static final Map<String, String> TO_SERVED = reversed(TO_STORED);

    private EventConversion() {}

    public static Conversion conversion() {
        return Conversion.of(
                stored -> renamed(stored, TO_SERVED, "events.k8s.io/v1"), served -> renamed(served, TO_STORED, "v1"));
    }

    private static ObjectNode renamed(ObjectNode object, Map<String, String> names, String apiVersion) {
        ObjectNode copy = object.objectNode();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            copy.set(names.getOrDefault(field.getKey(), field.getKey()), field.getValue());
        }
        return copy.put("apiVersion", apiVersion);
    }

    private static Map<String, String> reversed(Map<String, String> names) {
        Map<String, String> reversed = new HashMap<>();
        names.forEach((from, to) -> reversed.put(to, from));
        return Map.copyOf(reversed);
    }
}
