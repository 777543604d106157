package io.busbar.sandbox.select;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.select.LabelRequirement.Operator;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Tells by its labels whether an object is meant.
 *
 * <p>Immutable.
 */
public final class LabelSelector {

    private static final LabelSelector EVERYTHING = new LabelSelector(List.of(), false);
    private static final LabelSelector NOTHING = new LabelSelector(List.of(), true);

    private final List<LabelRequirement> requirements;
    private final boolean nothing;

    private LabelSelector(List<LabelRequirement> requirements, boolean nothing) {
        this.requirements = List.copyOf(requirements);
        this.nothing = nothing;
    }

    /** The selector that every object satisfies. */
    public static LabelSelector everything() {
        return EVERYTHING;
    }

    /**
     * Reads a query: {@code a=b}, {@code a==b}, {@code a!=b}, {@code a in (x,y)}, {@code a notin (x)}, {@code a},
     * {@code !a}, {@code a>1}, {@code a<1}, joined by commas. An empty text selects everything.
     *
     * @throws SelectorException with the API server's words
     */
    public static LabelSelector parse(String text) {
        return new LabelSelector(new LabelParser(text).parse(), false);
    }

    /**
     * Reads {@code matchLabels} and {@code matchExpressions}. An empty object selects everything, null or a missing
     * node nothing.
     *
     * @throws SelectorException when an operator or its values are not allowed
     */
    public static LabelSelector of(@Nullable JsonNode selector) {
        if (selector == null || selector.isNull() || selector.isMissingNode()) {
            return NOTHING;
        }
        List<LabelRequirement> requirements = new ArrayList<>();
        for (Map.Entry<String, JsonNode> label : selector.path("matchLabels").properties()) {
            Set<String> value = Set.of(label.getValue().asText());
            requirements.add(new LabelRequirement(label.getKey(), Operator.IN, value));
        }
        selector.path("matchExpressions").forEach(expression -> requirements.add(requirement(expression)));
        return new LabelSelector(requirements, false);
    }

    /**
     * A selector of an object as a query, in the order of keys.
     *
     * @param selector in either form: with {@code matchLabels} and {@code matchExpressions}, or plain labels
     */
    public static String text(JsonNode selector) {
        boolean plain = !selector.has("matchLabels") && !selector.has("matchExpressions");
        List<Map.Entry<String, String>> texts = new ArrayList<>();
        for (Map.Entry<String, JsonNode> label : (plain ? selector : selector.path("matchLabels")).properties()) {
            texts.add(Map.entry(
                    label.getKey(), label.getKey() + "=" + label.getValue().asText()));
        }
        for (JsonNode expression : selector.path("matchExpressions")) {
            String key = expression.path("key").asText();
            String values = StreamSupport.stream(expression.path("values").spliterator(), false)
                    .map(JsonNode::asText)
                    .sorted()
                    .collect(Collectors.joining(",", "(", ")"));
            texts.add(Map.entry(
                    key,
                    switch (expression.path("operator").asText()) {
                        case "In" -> key + " in " + values;
                        case "NotIn" -> key + " notin " + values;
                        case "Exists" -> key;
                        default -> "!" + key;
                    }));
        }
        return texts.stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .collect(Collectors.joining(","));
    }

    private static LabelRequirement requirement(JsonNode expression) {
        Set<String> values = new LinkedHashSet<>();
        expression.path("values").forEach(value -> values.add(value.asText()));
        String operator = expression.path("operator").asText();
        Operator known = switch (operator) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            default -> throw new SelectorException(GoText.quote(operator) + " is not a valid pod selector operator");
        };
        boolean set = known == Operator.IN || known == Operator.NOT_IN;
        if (set && values.isEmpty()) {
            throw new SelectorException("for 'in', 'notin' operators, values set can't be empty");
        }
        if (!set && !values.isEmpty()) {
            throw new SelectorException("values set must be empty for exists and does not exist");
        }
        return new LabelRequirement(expression.path("key").asText(), known, values);
    }

    /** Whether it lets every object pass, so that a caller may skip the test. */
    public boolean isEverything() {
        return !nothing && requirements.isEmpty();
    }

    /**
     * Whether an object with these {@code metadata.labels} is meant; null, a null node and a missing node stand for no
     * labels.
     */
    public boolean matches(@Nullable JsonNode metadataLabels) {
        if (nothing) {
            return false;
        }
        for (LabelRequirement requirement : requirements) {
            if (!requirement.matches(metadataLabels)) {
                return false;
            }
        }
        return true;
    }
}
