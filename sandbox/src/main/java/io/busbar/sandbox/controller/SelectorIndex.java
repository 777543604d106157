package io.busbar.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.busbar.sandbox.storage.StoreEvent;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The Pods that the objects of one kind select in their namespaces, such as Services.
 *
 * <p>One context. A Pod's change is compared with the selectors of its namespace; all Pods of a namespace are looked
 * through only when a selector changes. It takes each change within the write.
 */
public final class SelectorIndex {

    private final Kind kind;
    private final ObjectStore store;
    private final Function<ObjectNode, LabelSelector> selector;
    private final Map<String, Map<ObjectKey, LabelSelector>> selectors = new HashMap<>();
    private final Map<ObjectKey, Map<ObjectKey, ObjectNode>> selected = new HashMap<>();

    /** @param selector of an object; one that selects nothing for an object that has none */
    public SelectorIndex(Kind kind, ObjectStore store, Function<ObjectNode, LabelSelector> selector) {
        this.kind = kind;
        this.store = store;
        this.selector = selector;
        store.list(kind.resource()).forEach(object -> select(Metadata.of(object).key(), object));
    }

    /** The Pods that an object selects. */
    public List<ObjectNode> pods(ObjectKey object) {
        return List.copyOf(selected.getOrDefault(object, Map.of()).values());
    }

    /** The objects that select a Pod, or selected it before its change. */
    public List<ObjectKey> selecting(StoreEvent pod) {
        ObjectNode before = pod.previous();
        return selectors.getOrDefault(pod.key().namespace(), Map.of()).entrySet().stream()
                .filter(entry -> entry.getValue().matches(labels(pod.object()))
                        || (before != null && entry.getValue().matches(labels(before))))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Takes a change, within the write. */
    public void changed(StoreEvent event) {
        if (event.resource().equals(kind.resource())) {
            ownerChanged(event);
        } else if (event.resource().equals(Kind.POD.resource())) {
            podChanged(event);
        }
    }

    private void ownerChanged(StoreEvent event) {
        ObjectKey key = event.key();
        ObjectNode before = event.previous();
        if (event.type() == StoreEvent.Type.DELETED) {
            selected.remove(key);
            Map<ObjectKey, LabelSelector> others = selectors.getOrDefault(key.namespace(), new HashMap<>());
            others.remove(key);
            if (others.isEmpty()) {
                selectors.remove(key.namespace());
            }
        } else if (before == null || !before.path("spec").equals(event.object().path("spec"))) {
            select(key, event.object());
        }
    }

    private void select(ObjectKey key, ObjectNode object) {
        LabelSelector wanted = selector.apply(object);
        selectors
                .computeIfAbsent(key.namespace(), absent -> new LinkedHashMap<>())
                .put(key, wanted);
        Map<ObjectKey, ObjectNode> pods = new LinkedHashMap<>();
        for (ObjectNode pod : store.list(Kind.POD.resource(), key.namespace())) {
            if (wanted.matches(labels(pod))) {
                pods.put(Metadata.of(pod).key(), pod);
            }
        }
        selected.put(key, pods);
    }

    private void podChanged(StoreEvent event) {
        selectors.getOrDefault(event.key().namespace(), Map.of()).forEach((owner, wanted) -> {
            Map<ObjectKey, ObjectNode> pods = selected.computeIfAbsent(owner, absent -> new LinkedHashMap<>());
            if (event.type() != StoreEvent.Type.DELETED && wanted.matches(labels(event.object()))) {
                pods.put(event.key(), event.object());
            } else {
                pods.remove(event.key());
            }
        });
    }

    private static JsonNode labels(ObjectNode object) {
        return object.path("metadata").path("labels");
    }
}
