package io.busbar.sandbox.garbage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.StoreEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who owns whom, by uid.
 *
 * <p>One context. What it costs to note a change depends on the owners of that object only.
 */
final class OwnerGraph {

    static final String ORPHAN = "orphan";
    static final String FOREGROUND = "foregroundDeletion";

    /** @param blocks whether the object holds up that owner's foreground deletion */
    record Reference(String apiVersion, String kind, String name, String uid, boolean blocks) {}

    /**
     * An object that is there.
     *
     * @param owners by the uid of each
     */
    record Item(
            GroupResource resource,
            ObjectKey key,
            String uid,
            Map<String, Reference> owners,
            boolean deleting,
            List<String> finalizers) {

        boolean waitsForDependents() {
            return deleting && finalizers.contains(FOREGROUND);
        }

        boolean orphansDependents() {
            return deleting && finalizers.contains(ORPHAN);
        }
    }

    private final Map<String, Item> items = new HashMap<>();
    /** Uids by owner's uid: an owner that is not there may have dependents too. */
    private final Map<String, Set<String>> dependents = new HashMap<>();

    /** Notes a change, and returns the item before it, or null. */
    @Nullable
    Item apply(StoreEvent event) {
        Item item = item(event);
        boolean gone = event.type() == StoreEvent.Type.DELETED;
        Item before = gone ? items.remove(item.uid()) : items.put(item.uid(), item);
        if (before != null) {
            before.owners().keySet().forEach(owner -> unlink(owner, item.uid()));
        }
        if (!gone) {
            item.owners()
                    .keySet()
                    .forEach(owner -> dependents
                            .computeIfAbsent(owner, absent -> new LinkedHashSet<>())
                            .add(item.uid()));
        }
        return before;
    }

    @Nullable
    Item get(String uid) {
        return items.get(uid);
    }

    List<Item> dependents(String uid) {
        List<Item> found = new ArrayList<>();
        for (String dependent : dependents.getOrDefault(uid, Set.of())) {
            Item item = items.get(dependent);
            if (item != null) {
                found.add(item);
            }
        }
        return found;
    }

    List<String> uids() {
        return List.copyOf(items.keySet());
    }

    private void unlink(String owner, String dependent) {
        Set<String> left = dependents.get(owner);
        if (left != null && left.remove(dependent) && left.isEmpty()) {
            dependents.remove(owner);
        }
    }

    private static Item item(StoreEvent event) {
        ObjectNode object = event.object();
        Metadata metadata = Metadata.of(object);
        Map<String, Reference> owners = new LinkedHashMap<>();
        for (JsonNode reference : metadata.node().path("ownerReferences")) {
            String uid = reference.path("uid").asText();
            owners.put(
                    uid,
                    new Reference(
                            reference.path("apiVersion").asText(),
                            reference.path("kind").asText(),
                            reference.path("name").asText(),
                            uid,
                            reference.path("blockOwnerDeletion").asBoolean()));
        }
        return new Item(
                event.resource(), event.key(), metadata.uid(), owners, metadata.deleting(), metadata.finalizers());
    }
}
