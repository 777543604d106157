package io.busbar.operator.sidecarset.inject;

import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A label without which a set cannot match, and the values that it may have: what sets are filed under.
 *
 * <p>Immutable.
 *
 * @param key {@link #NAMESPACE} where it is the Pod's namespace in place of a label
 */
record RequiredLabel(String key, Collection<String> values) {

    /** No label has it. */
    static final String NAMESPACE = "";

    /** One such label of the selector, the first by name, else the namespace; empty where the set requires none. */
    static Optional<RequiredLabel> of(LabelSelector selector, @Nullable String namespace) {
        return of(selector)
                .or(() -> Optional.ofNullable(namespace)
                        .filter(name -> !name.isEmpty())
                        .map(name -> new RequiredLabel(NAMESPACE, List.of(name))));
    }

    private static Optional<RequiredLabel> of(LabelSelector selector) {
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
