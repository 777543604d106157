package io.busbar.sandbox.priority;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.ObjectStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The classes that every cluster has, the only ones whose names begin with {@code system-}. One context. */
public final class SystemClasses {

    static final String PREFIX = "system-";
    static final GroupResource RESOURCE = new GroupResource("scheduling.k8s.io", "priorityclasses");
    private static final String NODE = PREFIX + "node-critical";
    private static final String CLUSTER = PREFIX + "cluster-critical";
    private static final Map<String, Integer> VALUES = Map.of(NODE, 2_000_001_000, CLUSTER, 2_000_000_000);

    private static final Map<String, String> DESCRIPTIONS = Map.of(
            NODE,
            "Used for system critical pods that must not be moved from their current node.",
            CLUSTER,
            "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.");

    private SystemClasses() {}

    /** Makes those that are not there. */
    public static Future<Void> create(ObjectStore store) {
        List<Future<?>> made = new ArrayList<>();
        for (String name : List.of(NODE, CLUSTER)) {
            if (store.get(RESOURCE, ObjectKey.of(name)) == null) {
                made.add(store.create(RESOURCE, object(name)));
            }
        }
        return Future.all(made).mapEmpty();
    }

    private static ObjectNode object(String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("kind", "PriorityClass").put("apiVersion", "scheduling.k8s.io/v1");
        object.putObject("metadata").put("name", name);
        return object.put("value", VALUES.get(name)).put("description", DESCRIPTIONS.get(name));
    }

    /** Whether one of them has that name. */
    static boolean has(String name) {
        return VALUES.containsKey(name);
    }

    /** What is wrong with a class whose name begins as theirs do; empty when it is one of them. */
    static String flaw(String name, int value, boolean globalDefault) {
        Integer known = VALUES.get(name);
        if (known == null) {
            return name + " is not a known system priority class";
        }
        if (known != value) {
            return "value of " + name + " PriorityClass must be " + known;
        }
        return globalDefault ? "globalDefault of " + name + " PriorityClass must be false" : "";
    }
}
