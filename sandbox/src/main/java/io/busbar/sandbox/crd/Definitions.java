package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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
}
