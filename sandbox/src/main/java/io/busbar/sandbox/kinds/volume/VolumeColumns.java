package io.busbar.sandbox.kinds.volume;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Cells of claims and their volumes. Any thread. */
final class VolumeColumns {

    private static final Map<String, String> MODES =
            Map.of("ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");

    static final Map<String, Function<JsonNode, String>> CELLS =
            Map.of("phase", VolumeColumns::phase, "modes", VolumeColumns::modes);

    private VolumeColumns() {}

    private static String phase(JsonNode object) {
        return object.path("metadata").has("deletionTimestamp")
                ? "Terminating"
                : object.at("/status/phase").asText();
    }

    private static String modes(JsonNode modes) {
        return StreamSupport.stream(modes.spliterator(), false)
                .map(JsonNode::asText)
                .map(mode -> MODES.getOrDefault(mode, mode))
                .collect(Collectors.joining(","));
    }
}
