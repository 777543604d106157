package io.busbar.operator.sidecarset.roll;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSet;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSetSpec;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSetStatus;
import io.busbar.operator.sidecarset.v1alpha1.UpdateStrategy;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How far a set is with its Pods, as conditions: {@value #PROGRESSING}, with what it waits for if it is not, and {@value #DEGRADED}.
 *
 * <p>Immutable.
 *
 * @param due how many Pods the update goes on with, at once or when there is room
 * @param stuck how many Pods need more than other images
 * @param refusal why the API server would not have a Pod changed; empty if it had
 */
record Progress(Counts counts, int due, int stuck, Optional<String> refusal) {

    static final String PROGRESSING = "Progressing";
    static final String DEGRADED = "Degraded";
    static final String REFUSED = "UpdateRefused";

    private static final String AS_EXPECTED = "AsExpected";

    static Progress of(Counts counts, Batch batch) {
        return new Progress(counts, batch.due(), batch.notUpgradable().size(), Optional.empty());
    }

    Progress refusedBecause(Optional<String> reason) {
        return new Progress(counts, due, stuck, reason);
    }

    /** Why the last look at a set, as it is now, could not change all Pods; empty if it could. */
    static Optional<String> lastRefusal(SidecarSet set) {
        return Conditions.find(conditions(set), DEGRADED)
                .filter(condition -> REFUSED.equals(condition.getReason()))
                .filter(condition -> generation(set).equals(condition.getObservedGeneration()))
                .map(Condition::getMessage);
    }

    List<Condition> conditions(SidecarSet set, Instant now) {
        List<Condition> before = conditions(set);
        return Conditions.with(Conditions.with(before, progressing(set), now), degraded(set), now);
    }

    /** Of a set that nothing can be done with. */
    static List<Condition> invalid(SidecarSet set, String problem, Instant now) {
        Condition still = condition(set, PROGRESSING, false, "InvalidSidecarSet", problem);
        Condition degraded = condition(set, DEGRADED, true, "InvalidSidecarSet", problem);
        return Conditions.with(Conditions.with(conditions(set), still, now), degraded, now);
    }

    private Condition progressing(SidecarSet set) {
        int behind = counts.matched() - counts.updated();
        String pods = counts.updated() + " of " + counts.matched() + " Pods are updated, " + counts.updatedReady()
                + " of these are ready";
        UpdateStrategy strategy = set.getSpec().updateStrategy();
        if (behind == 0 && counts.updatedReady() == counts.updated()) {
            return condition(set, PROGRESSING, false, "UpToDate", pods);
        }
        if (strategy != null && UpdateStrategy.NOT_UPDATE.equals(strategy.type())) {
            return condition(set, PROGRESSING, false, "NotUpdate", pods + "; the strategy's type is NotUpdate");
        }
        if (strategy != null && Boolean.TRUE.equals(strategy.paused())) {
            return condition(set, PROGRESSING, false, "Paused", pods + "; the strategy is paused");
        }
        if (counts.updatedReady() == counts.updated() && due == 0 && stuck == behind) {
            return condition(set, PROGRESSING, false, "NotUpgradable", pods + "; the others need more than new images");
        }
        if (counts.updatedReady() == counts.updated() && due == 0) {
            return condition(set, PROGRESSING, false, "HeldBack", pods + "; " + heldBackBy(set.getSpec()));
        }
        return condition(set, PROGRESSING, true, "RollingOut", pods);
    }

    private Condition degraded(SidecarSet set) {
        if (refusal.isPresent()) {
            return condition(set, DEGRADED, true, REFUSED, refusal.get());
        }
        return stuck == 0
                ? condition(set, DEGRADED, false, AS_EXPECTED, "nothing stands in the way")
                : condition(
                        set,
                        DEGRADED,
                        true,
                        "NotUpgradablePods",
                        stuck + " Pods cannot be updated in place: more than their images has changed");
    }

    private static String heldBackBy(SidecarSetSpec spec) {
        return spec.updateStrategy() != null && spec.updateStrategy().selector() != null
                ? "the strategy's selector holds the others back"
                : "the strategy's partition holds the others back";
    }

    private static Condition condition(SidecarSet set, String type, boolean status, String reason, String message) {
        return new ConditionBuilder()
                .withType(type)
                .withStatus(status ? "True" : "False")
                .withReason(reason)
                .withMessage(message)
                .withObservedGeneration(generation(set))
                .build();
    }

    private static Long generation(SidecarSet set) {
        Long generation = set.getMetadata().getGeneration();
        return generation == null ? Long.valueOf(0) : generation;
    }

    private static List<Condition> conditions(SidecarSet set) {
        SidecarSetStatus status = set.getStatus();
        return status == null ? List.of() : status.conditions();
    }
}
