package io.busbar.charts.watches;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** From {@code matchLabels} and {@code matchExpressions} to the syntax of the API. */
final class LabelSelectors {

    private static final Set<String> WITH_VALUES = Set.of("In", "NotIn");
    private static final Set<String> WITHOUT_VALUES = Set.of("Exists", "DoesNotExist");

    private LabelSelectors() {}

    /** Empty where nothing is to be matched. */
    static String text(JsonNode selector, String key, Fields.Problems problems) {
        List<String> parts = new ArrayList<>();
        Fields.names(selector, key, Set.of("matchLabels", "matchExpressions"), problems);
        Map<String, String> labels =
                new TreeMap<>(Fields.texts(selector.path("matchLabels"), key + ".matchLabels", problems));
        labels.forEach((name, value) -> parts.add(name + "=" + value));
        int at = 0;
        for (JsonNode expression : selector.path("matchExpressions")) {
            String place = key + ".matchExpressions[" + at++ + "]";
            Fields.names(expression, place, Set.of("key", "operator", "values"), problems);
            String label = Fields.text(expression, "key", place, problems);
            String operator = expression.path("operator").asText();
            String values = StreamSupport.stream(expression.path("values").spliterator(), false)
                    .map(JsonNode::asText)
                    .collect(Collectors.joining(","));
            if (WITH_VALUES.contains(operator) && !values.isEmpty()) {
                parts.add(label + (operator.equals("In") ? " in (" : " notin (") + values + ")");
            } else if (WITHOUT_VALUES.contains(operator) && values.isEmpty()) {
                parts.add((operator.equals("Exists") ? "" : "!") + label);
            } else {
                problems.add(
                        place,
                        expression.toString(),
                        "operator In or NotIn with values, Exists or DoesNotExist without");
            }
        }
        return String.join(",", parts);
    }
}
