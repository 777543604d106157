package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Optional;

/**
 * Takes ports away that somebody else put beside those desired.
 *
 * <p>Server-side apply tells ports apart by their numbers. So a port whose number was changed by hand is another one to it, which it
 * leaves there beside the one that it puts back: two of one name, which the API server refuses in Pods, or a Service that listens twice.
 * A controller therefore decides on a list of ports as a whole.
 *
 * <p>Pure; any thread.
 */
final class Ports {

    private Ports() {}

    /** A JSON Patch that leaves only the desired ones; empty when there are no others. */
    static ArrayNode correction(JsonNode current, JsonNode desired) {
        ArrayNode patch = JsonNodeFactory.instance.arrayNode();
        compare("", current, desired, patch);
        return patch;
    }

    private static void compare(String path, JsonNode current, JsonNode desired, ArrayNode patch) {
        desired.properties().forEach(field -> {
            JsonNode there = current.path(field.getKey());
            JsonNode wanted = field.getValue();
            String at = path + "/" + field.getKey().replace("~", "~0").replace("/", "~1");
            if (wanted.isObject()) {
                compare(at, there, wanted, patch);
            } else if (wanted.isArray() && field.getKey().equals("ports")) {
                correctList(at, there, wanted, patch);
            } else if (wanted.isArray()) {
                compareByName(at, there, wanted, patch);
            }
        });
    }

    private static void compareByName(String path, JsonNode current, JsonNode desired, ArrayNode patch) {
        for (JsonNode wanted : desired) {
            for (int i = 0; i < current.size() && wanted.has("name"); i++) {
                if (current.get(i).path("name").equals(wanted.get("name"))) {
                    compare(path + "/" + i, current.get(i), wanted, patch);
                }
            }
        }
    }

    private static void correctList(String path, JsonNode current, JsonNode desired, ArrayNode patch) {
        for (JsonNode port : current) {
            if (find(port, desired).isEmpty()) {
                ArrayNode right = JsonNodeFactory.instance.arrayNode();
                desired.forEach(wanted -> right.add(find(wanted, current).orElse(wanted)));
                patch.addObject().put("op", "replace").put("path", path).set("value", right);
                return;
            }
        }
    }

    private static Optional<JsonNode> find(JsonNode port, JsonNode ports) {
        for (JsonNode other : ports) {
            if (Coverage.isSamePort(other, port)) {
                return Optional.of(other);
            }
        }
        return Optional.empty();
    }
}
