package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.busbar.operator.sidecarset.pod.JsonPatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A list of a Pod whose items have a name each, and what is to become of it.
 *
 * <p>For one thread. Invariant: no name is written twice, whoever asks for it.
 */
final class NamedList {

    private final String path;
    private final JsonNode items;
    private final Map<String, Integer> places = new HashMap<>();
    private final Map<Integer, JsonNode> replaced = new HashMap<>();
    private final List<JsonNode> front = new ArrayList<>();
    private final List<JsonNode> back = new ArrayList<>();

    /**
     * @param path where the list is or is to be, such as {@code /spec/containers}
     * @param items the list as it is; anything else than an array for none
     */
    NamedList(String path, JsonNode items) {
        this.path = path;
        this.items = items;
        for (int i = 0; i < items.size(); i++) {
            places.putIfAbsent(name(items.get(i)), i);
        }
    }

    /**
     * Puts an item where one of its name stands already, else in front or at the back, behind those put there before.
     */
    void put(JsonNode item, boolean inFront) {
        Integer place = places.putIfAbsent(name(item), -1);
        if (place == null) {
            (inFront ? front : back).add(item);
        } else if (place >= 0 && !Containment.holds(items.get(place), item)) {
            replaced.putIfAbsent(place, item);
        }
    }

    /** Appends an item unless there is one of its name. */
    void addMissing(JsonNode item) {
        if (places.putIfAbsent(name(item), -1) == null) {
            back.add(item);
        }
    }

    /** The operations that bring this about: as few as can be, none if all is there. */
    void writeTo(JsonPatch patch) {
        if (!items.isArray()) {
            if (!front.isEmpty() || !back.isEmpty()) {
                ArrayNode all = JsonNodeFactory.instance.arrayNode();
                patch.add(path, all.addAll(front).addAll(back));
            }
            return;
        }
        replaced.forEach((place, item) -> patch.replace(path + "/" + place, item));
        for (int i = 0; i < front.size(); i++) {
            patch.add(path + "/" + i, front.get(i));
        }
        back.forEach(item -> patch.add(path + "/-", item));
    }

    private static String name(JsonNode item) {
        return item.path("name").asText();
    }
}
