package io.busbar.operator.sidecarset.inject;

import io.busbar.operator.sidecarset.matching.SidecarSetMatching;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
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

    /**
     * One such label of the Pods, the first by name, else their namespaces by name; empty where the set requires none.
     */
    static Optional<RequiredLabel> of(LabelSelector pods, @Nullable LabelSelector namespaces) {
        return first(pods, key -> true)
                .or(() -> Optional.ofNullable(namespaces)
                        .flatMap(selector -> first(selector, SidecarSetMatching.NAMESPACE_NAME::equals))
                        .map(name -> new RequiredLabel(NAMESPACE, name.values())));
    }

    private static Optional<RequiredLabel> first(LabelSelector selector, Predicate<String> eligible) {
        Map<String, String> labels = selector.getMatchLabels();
        Optional<RequiredLabel> exact = labels == null
                ? Optional.empty()
                : labels.entrySet().stream()
                        .filter(label -> eligible.test(label.getKey()))
                        .min(Map.Entry.comparingByKey())
                        .map(label -> new RequiredLabel(label.getKey(), List.of(label.getValue())));
        return exact.or(() -> oneOf(selector, eligible));
    }

    private static Optional<RequiredLabel> oneOf(LabelSelector selector, Predicate<String> eligible) {
        return selector.getMatchExpressions().stream()
                .filter(expression -> "In".equals(expression.getOperator()) && eligible.test(expression.getKey()))
                .findFirst()
                .map(expression -> new RequiredLabel(expression.getKey(), List.copyOf(expression.getValues())));
    }
}
