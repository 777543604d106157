package io.busbar.operator.sidecarset.matching;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pure functions on label selectors. Any thread. */
public final class Selectors {

    private Selectors() {}

    /** Whether a selector is absent or asks for nothing. */
    public static boolean isEmpty(@Nullable LabelSelector selector) {
        return selector == null || (isNone(selector.getMatchLabels()) && isNone(selector.getMatchExpressions()));
    }

    /** Whether a selector asks for any label but one of this key; an absent one asks for nothing. */
    public static boolean asksForMore(@Nullable LabelSelector selector, String key) {
        return selector != null
                && Stream.concat(
                                Stream.ofNullable(selector.getMatchLabels())
                                        .flatMap(labels -> labels.keySet().stream()),
                                Stream.ofNullable(selector.getMatchExpressions())
                                        .flatMap(Collection::stream)
                                        .map(LabelSelectorRequirement::getKey))
                        .anyMatch(asked -> !key.equals(asked));
    }

    private static boolean isNone(@Nullable Map<?, ?> map) {
        return map == null || map.isEmpty();
    }

    private static boolean isNone(@Nullable Collection<?> collection) {
        return collection == null || collection.isEmpty();
    }
}
