package io.busbar.charts.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An object of a chart that is made at a certain time, and not kept as it is: a step. Immutable, but for the object
 * within.
 *
 * @param object with all its annotations
 * @param events when it is made, such as {@code pre-install}
 * @param weight those of less come first
 * @param deletePolicies when it is deleted; never where it defines a kind, as all objects of that would go with it
 */
public record Hook(ObjectNode object, Set<String> events, int weight, Set<String> deletePolicies) {

    static final String ANNOTATION = "helm.sh/hook";

    public Hook {
        events = Set.copyOf(events);
        deletePolicies = Set.copyOf(deletePolicies);
    }

    /** Kind and name, for people. */
    public String id() {
        return object.path("kind").asText() + " " + name();
    }

    String name() {
        return object.path("metadata").path("name").asText();
    }

    static boolean is(JsonNode object) {
        return annotations(object).has(ANNOTATION);
    }

    /** @throws RenderFailedException when its weight is no number */
    static Hook of(ObjectNode object) throws RenderFailedException {
        JsonNode annotations = annotations(object);
        String weight = annotations.path(ANNOTATION + "-weight").asText("0").strip();
        if (!weight.matches("[+-]?\\d{1,9}")) {
            throw new RenderFailedException(object.path("kind").asText() + " "
                    + object.path("metadata").path("name").asText() + ": " + ANNOTATION + "-weight: '" + weight
                    + "' is not allowed; allowed: a whole number");
        }
        boolean definesKind = object.path("kind").asText().equals("CustomResourceDefinition");
        return new Hook(
                object,
                words(annotations.path(ANNOTATION)),
                Integer.parseInt(weight),
                definesKind ? Set.of() : words(annotations.path(ANNOTATION + "-delete-policy")));
    }

    private static JsonNode annotations(JsonNode object) {
        return object.path("metadata").path("annotations");
    }

    private static Set<String> words(JsonNode list) {
        return Arrays.stream(list.asText().split(","))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toSet());
    }
}
