package io.busbar.sandbox.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The latest distinct {@code fieldsV1} of managedFields: objects that one client makes have equal ones, which are a
 * third of their memory, and share them by this.
 *
 * <p>One context. It forgets what was not seen for longest.
 */
final class KnownFields {

    private static final int MOST = 1_000;

    private final Map<JsonNode, JsonNode> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<JsonNode, JsonNode> eldest) {
            return size() > MOST;
        }
    };

    /** Puts nodes that are known already in the place of their equals. */
    void share(ObjectNode metadata) {
        for (JsonNode entry : metadata.path("managedFields")) {
            JsonNode fields = entry.path("fieldsV1");
            if (entry instanceof ObjectNode owner && fields.isObject()) {
                JsonNode same = known.putIfAbsent(fields, fields);
                if (same != null) {
                    owner.set("fieldsV1", same);
                }
            }
        }
    }
}
