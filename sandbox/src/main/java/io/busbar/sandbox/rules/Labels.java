package io.busbar.sandbox.rules;

import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;

/** Labels, and what selects them. Any thread. */
public final class Labels {

    private Labels() {}

    /** A map of labels: its keys are qualified names, its values label values. */
    public static void check(Place labels) {
        labels.value().properties().forEach(label -> {
            labels.invalid(GoText.quote(label.getKey()), Names.qualifiedName(label.getKey()));
            String value = label.getValue().asText();
            labels.invalid(GoText.quote(value), Names.labelValue(value));
        });
    }

    /** One expression of a selector. */
    public static void requirement(Place requirement) {
        operator(requirement);
        String key = requirement.text("key");
        requirement.field("key").invalid(GoText.quote(key), Names.qualifiedName(key));
        requirement
                .field("values")
                .each()
                .forEach(value -> value.invalid(Names.labelValue(value.value().asText())));
    }

    /** What an expression does, and whether it has the values for it. */
    public static void operator(Place requirement) {
        Place values = requirement.field("values");
        switch (requirement.text("operator")) {
            case "In", "NotIn" -> {
                if (values.isBlank()) {
                    values.required("must be specified when `operator` is 'In' or 'NotIn'");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isBlank()) {
                    values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            default ->
                requirement
                        .field("operator")
                        .invalid(GoText.quote(requirement.text("operator")), "not a valid selector operator");
        }
    }
}
