package io.busbar.blueprint.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableMap;
import io.busbar.blueprint.source.Shown;
import io.busbar.blueprint.types.Shape;
import io.busbar.blueprint.types.Shape.ListOf;
import io.busbar.blueprint.types.Shape.MapOf;
import io.busbar.blueprint.types.Shape.ObjectOf;
import io.busbar.blueprint.types.Shape.Scalar;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Selectors of labels, as that of a Deployment. Any thread.
 *
 * <p>A field that it does not have, such as a misspelt one, would leave all objects selected: of a selector with a
 * {@linkplain #flaw flaw} nothing may be read.
 */
public final class LabelSelectors {

    private static final Set<String> FIELDS = Set.of("matchLabels", "matchExpressions");
    private static final Set<String> FIELDS_OF_EXPRESSION = Set.of("key", "operator", "values");
    private static final Set<String> WITH_VALUES = Set.of("In", "NotIn");
    private static final Set<String> WITHOUT_VALUES = Set.of("Exists", "DoesNotExist");
    private static final String NAME = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
    private static final Pattern KEY =
            Pattern.compile("(?=[^/]{1,253}/|[^/]*$)([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?" + NAME);
    private static final Pattern VALUE = Pattern.compile("(" + NAME + ")?");

    /** Of one in a Blueprint. */
    static final Shape SHAPE = new ObjectOf(
            "LabelSelector",
            () -> ImmutableMap.of(
                    "matchLabels",
                    new MapOf(Scalar.TEXT),
                    "matchExpressions",
                    new ListOf(new ObjectOf(
                            "LabelSelectorRequirement",
                            () -> ImmutableMap.of(
                                    "key", Scalar.TEXT,
                                    "operator", Scalar.TEXT,
                                    "values", new ListOf(Scalar.TEXT))))));

    private LabelSelectors() {}

    /** What is wrong with one, and where in it; empty if nothing is. */
    public static Optional<String> flaw(JsonNode selector) {
        if (!selector.isObject()) {
            return Optional.of("must be a selector of labels, and is " + Shown.of(selector));
        }
        return unknown(selector, FIELDS, "")
                .or(() -> flawOfLabels(selector.path("matchLabels")))
                .or(() -> flawOfExpressions(selector.path("matchExpressions")));
    }

    private static Optional<String> unknown(JsonNode object, Set<String> allowed, String path) {
        return object.properties().stream()
                .map(Map.Entry::getKey)
                .filter(name -> !allowed.contains(name))
                .findFirst()
                .map(name -> path + name + ": unknown field; allowed: "
                        + String.join(", ", allowed.stream().sorted().toList()));
    }

    private static boolean isLeftOut(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private static Optional<String> flawOfLabels(JsonNode labels) {
        if (!isLeftOut(labels) && !labels.isObject()) {
            return Optional.of("matchLabels: must be a map of labels, and is " + Shown.of(labels));
        }
        return labels.properties().stream()
                .flatMap(label -> flawOfKey(label.getKey(), "matchLabels: ")
                        .or(() -> flawOfValue(label.getValue(), "matchLabels[" + label.getKey() + "]: "))
                        .stream())
                .findFirst();
    }

    private static Optional<String> flawOfKey(String key, String path) {
        return KEY.matcher(key).matches()
                ? Optional.empty()
                : Optional.of(path + Shown.quoted(key) + " is no key of a label");
    }

    private static Optional<String> flawOfValue(JsonNode value, String path) {
        return value.isTextual() && VALUE.matcher(value.textValue()).matches()
                ? Optional.empty()
                : Optional.of(path + Shown.of(value) + " is no value of a label");
    }

    private static Optional<String> flawOfExpressions(JsonNode expressions) {
        if (!isLeftOut(expressions) && !expressions.isArray()) {
            return Optional.of("matchExpressions: must be a list, and is " + Shown.of(expressions));
        }
        for (int i = 0; i < expressions.size(); i++) {
            Optional<String> flaw = flawOfExpression(expressions.get(i), "matchExpressions[" + i + "]");
            if (flaw.isPresent()) {
                return flaw;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> flawOfExpression(JsonNode expression, String path) {
        if (!expression.isObject()) {
            return Optional.of(path + ": must have a key and an operator, and is " + Shown.of(expression));
        }
        JsonNode values = expression.path("values");
        String operator = expression.path("operator").asText();
        boolean fits = WITH_VALUES.contains(operator)
                ? values.isArray() && !values.isEmpty()
                : WITHOUT_VALUES.contains(operator) && values.isEmpty() && (isLeftOut(values) || values.isArray());
        if (!fits) {
            return Optional.of(path + ": the operator is " + Shown.of(expression.path("operator"))
                    + (isLeftOut(values) ? " without values" : " with the values " + Shown.of(values))
                    + "; allowed: In or NotIn with a list of values, Exists or DoesNotExist without");
        }
        Optional<String> flaw = unknown(expression, FIELDS_OF_EXPRESSION, path + ".")
                .or(() -> flawOfKey(expression.path("key").asText(), path + ".key: "));
        for (int i = 0; i < values.size() && flaw.isEmpty(); i++) {
            flaw = flawOfValue(values.get(i), path + ".values[" + i + "]: ");
        }
        return flaw;
    }

    /** Whether one without a flaw finds an object with these labels. */
    public static boolean selects(JsonNode selector, JsonNode labels) {
        for (Map.Entry<String, JsonNode> label : selector.path("matchLabels").properties()) {
            if (!label.getValue().equals(labels.path(label.getKey()))) {
                return false;
            }
        }
        for (JsonNode requirement : selector.path("matchExpressions")) {
            JsonNode label = labels.path(requirement.path("key").asText());
            boolean among = false;
            for (JsonNode value : requirement.path("values")) {
                among |= value.equals(label);
            }
            boolean holds = switch (requirement.path("operator").asText()) {
                case "In" -> among;
                case "NotIn" -> !among;
                case "Exists" -> !label.isMissingNode();
                default -> label.isMissingNode();
            };
            if (!holds) {
                return false;
            }
        }
        return true;
    }
}
