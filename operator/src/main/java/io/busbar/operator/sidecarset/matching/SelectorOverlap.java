package io.busbar.operator.sidecarset.matching;

import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether one object could be selected by two selectors.
 *
 * <p>Two selectors are disjoint if they ask for different things of the same label; {@code a=h} and {@code b=i}
 * overlap. Where the answer is open it is the one that OpenKruise gives: {@code Exists} on a label that the other does
 * not name is disjoint, {@code DoesNotExist} on it is not.
 *
 * <p>Pure functions, any thread. Source: OpenKruise 1.9, {@code IsSelectorOverlapping}, by its behaviour.
 */
public final class SelectorOverlap {

    /** Stands for any value: no label can hold it. */
    private static final Set<String> ANY = Set.of("*");

    private SelectorOverlap() {}

    public static boolean overlap(LabelSelector one, LabelSelector other) {
        return !excludes(one, other) && !excludes(other, one);
    }

    /** Whether one Pod could be selected by both sets: their selectors overlap, and so do their namespaces. */
    public static boolean overlap(SidecarSetSpec one, SidecarSetSpec other) {
        LabelSelector onePods = one.selector();
        LabelSelector otherPods = other.selector();
        return onePods != null
                && otherPods != null
                && overlap(onePods, otherPods)
                && overlappingNamespaces(one.namespaceSelector(), other.namespaceSelector());
    }

    /** Null stands for all namespaces. */
    private static boolean overlappingNamespaces(@Nullable LabelSelector one, @Nullable LabelSelector other) {
        return one == null || other == null || overlap(one, other);
    }

    /** Whether something that the second asks for cannot be where the first has its way. */
    private static boolean excludes(LabelSelector first, LabelSelector second) {
        Map<String, Set<String>> wanted = wantedValues(first);
        return labels(second).entrySet().stream()
                        .anyMatch(label -> wanted.containsKey(label.getKey())
                                && !shareValue(wanted.get(label.getKey()), Set.of(label.getValue())))
                || expressions(second).stream().anyMatch(expression -> excludes(wanted, expression));
    }

    private static boolean excludes(Map<String, Set<String>> wanted, LabelSelectorRequirement expression) {
        Set<String> values = wanted.get(expression.getKey());
        return switch (String.valueOf(expression.getOperator())) {
            case "In" -> values != null && !shareValue(values, valuesOf(expression));
            case "NotIn" -> values != null && valuesOf(expression).containsAll(values);
            case "Exists" -> values == null;
            case "DoesNotExist" -> values != null;
            default -> false;
        };
    }

    /** By label, the values that a selector admits, where it wants the label at all. */
    private static Map<String, Set<String>> wantedValues(LabelSelector selector) {
        Map<String, Set<String>> wanted = new HashMap<>();
        labels(selector).forEach((key, value) -> wanted.put(key, Set.of(value)));
        for (LabelSelectorRequirement expression : expressions(selector)) {
            switch (String.valueOf(expression.getOperator())) {
                case "In" -> wanted.merge(expression.getKey(), valuesOf(expression), SelectorOverlap::union);
                case "Exists" -> wanted.put(expression.getKey(), ANY);
                default -> {}
            }
        }
        return wanted;
    }

    private static boolean shareValue(Set<String> one, Set<String> other) {
        return one.equals(ANY) || !Collections.disjoint(one, other);
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        Set<String> both = new HashSet<>(one);
        both.addAll(other);
        return both;
    }

    private static Map<String, String> labels(LabelSelector selector) {
        return selector.getMatchLabels() == null ? Map.of() : selector.getMatchLabels();
    }

    private static List<LabelSelectorRequirement> expressions(LabelSelector selector) {
        return selector.getMatchExpressions() == null ? List.of() : selector.getMatchExpressions();
    }

    private static Set<String> valuesOf(LabelSelectorRequirement expression) {
        return expression.getValues() == null ? Set.of() : new HashSet<>(expression.getValues());
    }
}
