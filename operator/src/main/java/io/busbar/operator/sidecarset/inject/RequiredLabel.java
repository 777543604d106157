package io.busbar.operator.sidecarset.inject;

import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A label without which a selector cannot match, and the values that it may have: what sets are filed under.
 *
 * <p>Immutable.
 */
record RequiredLabel(String key, Collection<String> values) {

    /** One such label of the selector, the first by name; empty where it requires none. */
    static Optional<RequiredLabel> of(LabelSelector selector) {
        Map<String, String> labels = selector.getMatchLabels();
        if (labels != null && !labels.isEmpty()) {
            var first = new TreeMap<>(labels).firstEntry();
            return Optional.of(new RequiredLabel(first.getKey(), List.of(first.getValue())));
        }
        return selector.getMatchExpressions().stream()
                .filter(expression -> "In".equals(expression.getOperator()))
                .findFirst()
                .map(expression -> new RequiredLabel(expression.getKey(), List.copyOf(expression.getValues())));
    }
}
