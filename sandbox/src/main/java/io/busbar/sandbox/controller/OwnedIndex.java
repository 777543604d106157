package io.busbar.sandbox.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.storage.StoreEvent;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects of one kind by the uid of their controller, and those that have none by their namespace, in the order of
 * creation.
 *
 * <p>One context. It takes each change within the write, so what a controller has written is in here when it looks
 * again: none needs to remember what it expects to see.
 */
public final class OwnedIndex {

    private final Kind kind;
    private final Map<String, Map<ObjectKey, ObjectNode>> byController = new HashMap<>();
    private final Map<String, Map<ObjectKey, ObjectNode>> unowned = new HashMap<>();

    OwnedIndex(Kind kind) {
        this.kind = kind;
    }

    /** Of the controller with this uid. */
    public List<ObjectNode> of(String uid) {
        return List.copyOf(byController.getOrDefault(uid, Map.of()).values());
    }

    /** Those in a namespace that no controller has. */
    public List<ObjectNode> unowned(String namespace) {
        return List.copyOf(unowned.getOrDefault(namespace, Map.of()).values());
    }

    void changed(StoreEvent event) {
        if (!event.resource().equals(kind.resource())) {
            return;
        }
        ObjectNode before = event.previous();
        String now = event.type() == StoreEvent.Type.DELETED ? null : OwnerReferences.controllerUid(event.object());
        if (before != null) {
            String then = OwnerReferences.controllerUid(before);
            if (!then.equals(now)) {
                remove(then, event.key());
            }
        }
        if (now != null) {
            group(now, event.key()).put(event.key(), event.object());
        }
    }

    private Map<ObjectKey, ObjectNode> group(String controller, ObjectKey key) {
        return controller.isEmpty()
                ? unowned.computeIfAbsent(key.namespace(), absent -> new LinkedHashMap<>())
                : byController.computeIfAbsent(controller, absent -> new LinkedHashMap<>());
    }

    private void remove(String controller, ObjectKey key) {
        Map<ObjectKey, ObjectNode> group = group(controller, key);
        group.remove(key);
        if (group.isEmpty()) {
            byController.remove(controller);
            if (controller.isEmpty()) {
                unowned.remove(key.namespace());
            }
        }
    }
}
