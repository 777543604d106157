package io.busbar.sandbox.select;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One term of a label selector. Immutable. */
record LabelRequirement(String key, Operator operator, Set<String> values) {

    enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GREATER,
        LESS
    }

    LabelRequirement {
        checkKey(key);
        values = new TreeSet<>(values);
        if (operator == Operator.GREATER || operator == Operator.LESS) {
            values.forEach(LabelRequirement::checkInteger);
        }
        int index = 0;
        for (String value : values) {
            check("values[" + index++ + "][" + key + "]", value, Names.labelValue(value));
        }
    }

    static void checkKey(String key) {
        check("<nil>", key, Names.qualifiedName(key));
    }

    private static void check(String where, String value, List<String> complaints) {
        if (!complaints.isEmpty()) {
            throw new SelectorException(
                    where + ": Invalid value: " + GoText.quote(value) + ": " + String.join("; ", complaints));
        }
    }

    private static void checkInteger(String value) {
        if (!value.matches("[+-]?[0-9]+")) {
            check("values[0]", value, List.of("for 'Gt', 'Lt' operators, the value must be an integer"));
        }
    }

    boolean matches(@Nullable JsonNode labels) {
        JsonNode label = labels == null ? null : labels.get(key);
        return switch (operator) {
            case EXISTS -> label != null;
            case DOES_NOT_EXIST -> label == null;
            case IN -> label != null && values.contains(label.asText());
            case NOT_IN -> label == null || !values.contains(label.asText());
            case GREATER -> label != null && compare(label.asText()) > 0;
            case LESS -> label != null && compare(label.asText()) < 0;
        };
    }

    /** Zero, which satisfies neither, when the label is no integer. */
    private int compare(String label) {
        return label.matches("[+-]?[0-9]+")
                ? new BigInteger(label)
                        .compareTo(new BigInteger(values.iterator().next()))
                : 0;
    }
}
