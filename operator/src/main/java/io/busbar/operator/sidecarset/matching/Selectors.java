package io.busbar.operator.sidecarset.matching;

import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pure functions on label selectors. Any thread. */
public final class Selectors {

    private Selectors() {}

    /** Whether a selector is absent or asks for nothing. */
    public static boolean isEmpty(@Nullable LabelSelector selector) {
        return selector == null || (isNone(selector.getMatchLabels()) && isNone(selector.getMatchExpressions()));
    }

    private static boolean isNone(@Nullable Map<?, ?> map) {
        return map == null || map.isEmpty();
    }

    private static boolean isNone(@Nullable Collection<?> collection) {
        return collection == null || collection.isEmpty();
    }
}
