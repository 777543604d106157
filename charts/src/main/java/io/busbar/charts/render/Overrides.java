package io.busbar.charts.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values that win over those of an instance, by paths as {@code helm --set} has them: names joined by dots, with
 * {@code [N]} for an element of a list, and a backslash before what is part of a name. Immutable.
 */
public final class Overrides {

    /** What a path may be, for people. */
    public static final String ALLOWED =
            "names joined by dots, with [N] for an element of a list, such as hosts[0].name";

    private static final Pattern STEP = Pattern.compile("(?:\\.|^)((?:[^.\\[\\]\\\\]|\\\\.)+)|\\[([0-9]{1,4})\\]");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");

    private final Map<List<Step>, JsonNode> values = new LinkedHashMap<>();

    /** Into a map by a name, or into a list by an index. */
    private record Step(String name, int index) {

        boolean isName() {
            return !name.isEmpty();
        }
    }

    /** @throws IllegalArgumentException when a path is none; see {@link #isPath} */
    public Overrides(Map<String, JsonNode> byPath) {
        byPath.forEach((path, value) -> values.put(
                steps(path)
                        .orElseThrow(
                                () -> new IllegalArgumentException("not a path: '" + path + "'; allowed: " + ALLOWED)),
                value));
    }

    public static boolean isPath(String path) {
        return steps(path).isPresent();
    }

    /** A copy of some values with these laid over them. */
    ObjectNode over(ObjectNode instance) {
        ObjectNode all = instance.deepCopy();
        values.forEach((path, value) -> with(all, path, value));
        return all;
    }

    private static JsonNode with(JsonNode before, List<Step> path, JsonNode value) {
        if (path.isEmpty()) {
            return value;
        }
        Step step = path.get(0);
        List<Step> rest = path.subList(1, path.size());
        if (step.isName()) {
            ObjectNode map = before instanceof ObjectNode there ? there : JsonNodeFactory.instance.objectNode();
            map.set(step.name(), with(map.path(step.name()), rest, value));
            return map;
        }
        ArrayNode list = before instanceof ArrayNode there ? there : JsonNodeFactory.instance.arrayNode();
        while (list.size() <= step.index()) {
            list.addNull();
        }
        list.set(step.index(), with(list.get(step.index()), rest, value));
        return list;
    }

    /** Empty where it is no path. */
    private static Optional<List<Step>> steps(String path) {
        List<Step> steps = new ArrayList<>();
        Matcher step = STEP.matcher(path);
        int end = 0;
        while (end < path.length() && step.find(end) && step.start() == end) {
            boolean isName = step.group(1) != null;
            steps.add(
                    isName
                            ? new Step(ESCAPE.matcher(step.group(1)).replaceAll("$1"), 0)
                            : new Step("", Integer.parseInt(step.group(2))));
            end = step.end();
        }
        boolean isPath =
                end == path.length() && !steps.isEmpty() && steps.get(0).isName();
        return isPath ? Optional.of(steps) : Optional.empty();
    }
}
