package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Takes away what somebody else put into lists that a controller decides as a whole.
 *
 * <p>Server-side apply tells the elements of some lists apart by keys, such as ports by their numbers. An element whose
 * key was changed by hand is another one to it, which it leaves there beside the one that it puts back: two ports of
 * one name, which the API server refuses in Pods, or a Service that listens twice. Whose element that is cannot be told
 * from the object, so the controller says which lists are its own.
 *
 * <p>Immutable.
 */
final class WholeLists {

    private final List<List<String>> paths;

    /**
     * @param paths such as {@code spec.template.spec.containers.ports}, each through all elements of the lists on its
     *     way
     */
    WholeLists(Set<String> paths) {
        this.paths = paths.stream().map(path -> List.of(path.split("\\.", -1))).toList();
    }

    boolean isEmpty() {
        return paths.isEmpty();
    }

    /**
     * A JSON Patch that leaves only the desired elements in these lists; empty when there are no others.
     *
     * @param shape of the kind
     */
    ArrayNode correction(Shape shape, JsonNode current, JsonNode desired) {
        ArrayNode patch = JsonNodeFactory.instance.arrayNode();
        paths.forEach(path -> new Walk(path, patch).compare(0, "", shape, current, desired));
        return patch;
    }

    private record Walk(List<String> path, ArrayNode patch) {

        private void compare(int depth, String at, Shape shape, JsonNode current, JsonNode desired) {
            String name = path.get(depth);
            JsonNode there = current.path(name);
            JsonNode wanted = desired.path(name);
            String below = at + "/" + name.replace("~", "~0").replace("/", "~1");
            Shape field = shape.field(name);
            if (depth == path.size() - 1) {
                correct(below, field, there, wanted);
            } else if (wanted.isArray()) {
                for (JsonNode element : wanted) {
                    for (int i = 0; i < there.size(); i++) {
                        if (Coverage.isSameElement(field, there.get(i), element)) {
                            compare(depth + 1, below + "/" + i, field.item(), there.get(i), element);
                        }
                    }
                }
            } else {
                compare(depth + 1, below, field, there, wanted);
            }
        }

        private void correct(String at, Shape list, JsonNode current, JsonNode desired) {
            if (!desired.isArray()) {
                return;
            }
            for (JsonNode element : current) {
                if (find(list, element, desired).isEmpty()) {
                    ArrayNode right = JsonNodeFactory.instance.arrayNode();
                    desired.forEach(
                            wanted -> right.add(find(list, wanted, current).orElse(wanted)));
                    patch.addObject().put("op", "replace").put("path", at).set("value", right);
                    return;
                }
            }
        }
    }

    private static Optional<JsonNode> find(Shape list, JsonNode element, JsonNode elements) {
        for (JsonNode other : elements) {
            if (Coverage.isSameElement(list, other, element)) {
                return Optional.of(other);
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return paths.stream().map(path -> String.join(".", path)).collect(Collectors.joining(", "));
    }
}
