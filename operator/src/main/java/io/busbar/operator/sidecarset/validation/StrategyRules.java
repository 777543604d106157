package io.busbar.operator.sidecarset.validation;

import io.busbar.operator.sidecarset.v1beta1.OrderPriority;
import io.busbar.operator.sidecarset.v1beta1.PriorityStrategy;
import io.busbar.operator.sidecarset.v1beta1.ScatterTerm;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import io.busbar.operator.sidecarset.v1beta1.UpdateStrategy;
import io.busbar.operator.sidecarset.v1beta1.WeightPriority;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an update strategy must be, where it updates anything. Pure functions, any thread. */
final class StrategyRules {

    private static final Pattern PERCENT = Pattern.compile("[0-9]+%");

    private StrategyRules() {}

    static void check(Field at, SidecarSetSpec spec) {
        UpdateStrategy strategy = spec.updateStrategy();
        if (strategy == null) {
            return;
        }
        at.child("type").optionalOneOf(strategy.type(), UpdateStrategy.ROLLING_UPDATE, UpdateStrategy.NOT_UPDATE);
        if (!UpdateStrategy.ROLLING_UPDATE.equals(strategy.type())) {
            return;
        }
        if (spec.initContainers().stream().anyMatch(SidecarContainer::runsAsNativeSidecar)) {
            at.required("The initContainer in-place upgrade is not currently supported.");
        }
        LabelSelector selector = strategy.selector();
        if (selector != null) {
            if (isSet(strategy.partition())) {
                at.forbidden("Partition and Selector cannot be used together");
            }
            SelectorRules.check(at.child("selector"), selector);
        }
        numberOrPercent(at.child("partition"), strategy.partition());
        numberOrPercent(at.child("maxUnavailable"), strategy.maxUnavailable());
        PriorityStrategy priorities = strategy.priorityStrategy();
        if (priorities != null) {
            priorities(at.child("priorityStrategy"), priorities);
        }
        scatter(at.child("scatterStrategy"), strategy.scatterStrategy());
    }

    private static boolean isSet(@Nullable IntOrString partition) {
        return partition != null
                && (partition.getStrVal() != null || (partition.getIntVal() != null && partition.getIntVal() != 0));
    }

    private static void numberOrPercent(Field at, @Nullable IntOrString value) {
        if (value == null) {
            return;
        }
        at.notNegative(value.getIntVal());
        if (value.getStrVal() != null && !PERCENT.matcher(value.getStrVal()).matches()) {
            at.invalid(
                    value.getStrVal(),
                    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used"
                            + " for validation is '[0-9]+%')");
        }
    }

    private static void priorities(Field at, PriorityStrategy priorities) {
        if (!priorities.orderPriority().isEmpty()
                && !priorities.weightPriority().isEmpty()) {
            at.forbidden("only one of weightPriority and orderPriority can be used");
        }
        at.<OrderPriority>each("orderPriority", priorities.orderPriority(), (item, order) -> {
            if (order.orderedKey() == null || order.orderedKey().isEmpty()) {
                item.child("orderedKey").required("order key should not be empty");
            }
        });
        at.<WeightPriority>each("weightPriority", priorities.weightPriority(), (item, weight) -> {
            if (weight.weight() == null || weight.weight() < 1 || weight.weight() > 100) {
                item.child("weight")
                        .invalid(String.valueOf(weight.weight()), "weight must be valid number in the range 1-100");
            }
            if (weight.matchSelector() == null) {
                item.child("matchSelector").required("selector can not be empty");
            } else {
                SelectorRules.check(item.child("matchSelector"), weight.matchSelector());
            }
        });
    }

    private static void scatter(Field at, List<ScatterTerm> terms) {
        Set<ScatterTerm> seen = new HashSet<>();
        for (int i = 0; i < terms.size(); i++) {
            ScatterTerm term = terms.get(i);
            if (term.key() == null || term.key().isEmpty()) {
                at.key(i).child("key").required("key should not be empty");
            }
            if (!seen.add(term)) {
                at.key(i)
                        .invalid(
                                term.key() + "=" + term.value(),
                                "duplicated key=" + term.key() + " value=" + term.value());
            }
        }
    }
}
