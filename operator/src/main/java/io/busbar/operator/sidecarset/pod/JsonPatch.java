package io.busbar.operator.sidecarset.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/**
 * Operations of a JSON Patch (RFC 6902), written down one by one.
 *
 * <p>For one thread. Values are not copied.
 */
public final class JsonPatch {

    private final ArrayNode operations = JsonNodeFactory.instance.arrayNode();

    /** A path through these members. */
    public static String pointer(String... members) {
        StringBuilder path = new StringBuilder();
        for (String member : members) {
            path.append('/').append(member.replace("~", "~0").replace("/", "~1"));
        }
        return path.toString();
    }

    public JsonPatch add(String path, JsonNode value) {
        return operation("add", path, value);
    }

    public JsonPatch replace(String path, JsonNode value) {
        return operation("replace", path, value);
    }

    /** Fails the whole patch unless the value is this. */
    public JsonPatch test(String path, JsonNode value) {
        return operation("test", path, value);
    }

    public boolean isEmpty() {
        return operations.isEmpty();
    }

    public ArrayNode operations() {
        return operations;
    }

    private JsonPatch operation(String name, String path, JsonNode value) {
        operations.addObject().put("op", name).put("path", path).set("value", value);
        return this;
    }

    /** The patch as JSON. */
    @Override
    public String toString() {
        return operations.toString();
    }
}
