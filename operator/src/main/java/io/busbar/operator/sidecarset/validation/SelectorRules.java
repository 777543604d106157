package io.busbar.operator.sidecarset.validation;

import io.busbar.operator.sidecarset.matching.Selectors;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.List;

/** What a label selector must be. Pure functions, any thread. */
final class SelectorRules {

    private SelectorRules() {}

    /** A selector that selects something in particular. */
    static void check(Field at, LabelSelector selector) {
        if (Selectors.isEmpty(selector)) {
            at.invalid("{}", "empty selector is not valid for sidecarset.");
        }
        if (selector.getMatchLabels() != null) {
            selector.getMatchLabels().forEach((key, value) -> {
                at.child("matchLabels").text(key, Names::qualified);
                at.child("matchLabels").key(key).optionalText(value, Names::labelValue);
            });
        }
        at.each("matchExpressions", selector.getMatchExpressions(), SelectorRules::expression);
    }

    private static void expression(Field at, LabelSelectorRequirement expression) {
        at.child("key").text(expression.getKey(), Names::qualified);
        List<String> values = expression.getValues() == null ? List.of() : expression.getValues();
        switch (String.valueOf(expression.getOperator())) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    at.child("values").required("must be specified when `operator` is 'In' or 'NotIn'");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    at.child("values").forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            default ->
                at.child("operator").invalid(String.valueOf(expression.getOperator()), "not a valid selector operator");
        }
        at.<String>each("values", values, (value, text) -> value.optionalText(text, Names::labelValue));
    }
}
