package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Conditions;
import io.busbar.sandbox.storage.Metadata;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reads CustomResourceDefinitions. Any thread. */
final class Definitions {

    private Definitions() {}

    /** Those marked as storage; one, in a valid definition. */
    static List<String> storageVersions(JsonNode definition) {
        List<String> versions = new ArrayList<>();
        for (JsonNode version : definition.path("spec").path("versions")) {
            if (version.path("storage").asBoolean()) {
                versions.add(version.path("name").asText());
            }
        }
        return versions;
    }

    /** A version by its name, or a missing node. */
    static JsonNode version(JsonNode definition, String name) {
        for (JsonNode version : definition.path("spec").path("versions")) {
            if (version.path("name").asText().equals(name)) {
                return version;
            }
        }
        return JsonNodeFactory.instance.missingNode();
    }

    /** The status of a condition: {@code True}, {@code False}, or empty for a condition that is not there. */
    static String condition(JsonNode definition, String type) {
        return Conditions.find(definition.path("status"), type).path("status").asText();
    }

    /** Sets a condition, in place; its time is that of the last change of its status. */
    static void condition(
            ObjectNode definition, String type, boolean status, String reason, String message, Instant now) {
        ObjectNode parent = definition.withObject("/status");
        ArrayNode conditions =
                parent.path("conditions") instanceof ArrayNode array ? array : parent.putArray("conditions");
        String value = status ? "True" : "False";
        ObjectNode condition = Conditions.find(parent, type) instanceof ObjectNode known
                ? known
                : conditions.addObject().put("type", type);
        if (!condition.path("status").asText().equals(value)) {
            condition.put("status", value).put("lastTransitionTime", Metadata.time(now));
        }
        condition.put("reason", reason).put("message", message);
    }
}
