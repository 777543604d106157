package io.busbar.blueprint.render;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.check.LabelSelectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Objects as they were in a cluster.
 *
 * <p>Immutable. An object that says no namespace is found in each.
 */
public final class LiveObjects implements Live {

    private final List<JsonNode> objects = new ArrayList<>();

    /** @param objects or lists of them */
    public LiveObjects(List<JsonNode> objects) {
        objects.forEach(this::add);
    }

    private void add(JsonNode object) {
        if (object.path("kind").asText().endsWith("List")
                && object.path("items").isArray()) {
            object.path("items").forEach(this::add);
        } else {
            objects.add(object);
        }
    }

    @Override
    public Optional<JsonNode> applied(JsonNode object) {
        return like(object);
    }

    @Override
    public Optional<JsonNode> external(JsonNode reference) {
        return like(reference);
    }

    private Optional<JsonNode> like(JsonNode other) {
        return objects.stream()
                .filter(object -> isOf(object, other)
                        && object.path("metadata")
                                .path("name")
                                .equals(other.path("metadata").path("name")))
                .findFirst();
    }

    @Override
    public List<JsonNode> selected(JsonNode reference) {
        JsonNode selector = reference.path("metadata").path("selector");
        return objects.stream()
                .filter(object -> isOf(object, reference)
                        && LabelSelectors.selects(
                                selector, object.path("metadata").path("labels")))
                .toList();
    }

    private static boolean isOf(JsonNode object, JsonNode other) {
        String namespace = object.path("metadata").path("namespace").asText();
        String wanted = other.path("metadata").path("namespace").asText();
        return object.path("apiVersion").equals(other.path("apiVersion"))
                && object.path("kind").equals(other.path("kind"))
                && (namespace.isEmpty() || wanted.isEmpty() || namespace.equals(wanted));
    }
}
