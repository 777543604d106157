package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Apply configurations laid over an object without a record of who owns what. Any thread. */
public final class Configurations {

    private Configurations() {}

    /** @throws PatchException when a list holds an item twice, or one without its key */
    public static ObjectNode merge(ObjectNode live, ObjectNode config, ListTopology lists) {
        return (ObjectNode) Objects.requireNonNull(Typed.merge(live, config, lists));
    }

    /** Paths of the lists and maps in a configuration that can only be replaced as one. */
    public static List<String> atomics(ObjectNode config, ListTopology lists) {
        List<String> paths = new ArrayList<>();
        atomics("", config, lists, paths);
        return paths;
    }

    private static void atomics(String path, JsonNode value, ListTopology lists, List<String> paths) {
        if (value.isContainerNode() && !Typed.isGranular(value, lists)) {
            paths.add(path);
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            atomics(path + "[" + i + "]", value.path(i), lists.items(), paths);
        }
        value.properties()
                .forEach(field ->
                        atomics(path + "." + field.getKey(), field.getValue(), lists.field(field.getKey()), paths));
    }
}
