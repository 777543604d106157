package io.busbar.operator.sidecarset.roll;

import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import io.busbar.operator.sidecarset.v1beta1.UpdateStrategy;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * How far a set is with its Pods, as conditions: {@value #PROGRESSING}, with what it waits for if it is not, and
 * {@value #DEGRADED}.
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

    private static final ConditionReason ROLLING_OUT = ConditionReason.ofTrue(
            PROGRESSING, "RollingOut", "Pods are being updated, or updated ones are not ready yet; the message counts");
    private static final ConditionReason UP_TO_DATE =
            ConditionReason.ofFalse(PROGRESSING, "UpToDate", "all matched Pods are updated and ready");
    private static final ConditionReason NOT_UPDATE = ConditionReason.ofFalse(
            PROGRESSING, "NotUpdate", "spec.updateStrategy.type is NotUpdate: running Pods stay as they are");
    private static final ConditionReason PAUSED =
            ConditionReason.ofFalse(PROGRESSING, "Paused", "spec.updateStrategy.paused is true");
    private static final ConditionReason HELD_BACK = ConditionReason.ofFalse(
            PROGRESSING, "HeldBack", "the partition or the selector of spec.updateStrategy holds the other Pods back");
    private static final ConditionReason NOT_UPGRADABLE = ConditionReason.ofFalse(
            PROGRESSING, "NotUpgradable", "the Pods that are left need more than new images: they must be made anew");
    private static final ConditionReason NOT_PROGRESSING_AS_INVALID = ConditionReason.ofFalse(
            PROGRESSING, "InvalidSidecarSet", "the stored set does not pass validation; the message names the field");

    private static final ConditionReason AS_EXPECTED =
            ConditionReason.ofFalse(DEGRADED, "AsExpected", "nothing stands in the way");
    private static final ConditionReason UPDATE_REFUSED = ConditionReason.ofTrue(
            DEGRADED, "UpdateRefused", "the API server refuses to have a Pod changed; the message has its words");
    private static final ConditionReason NOT_UPGRADABLE_PODS = ConditionReason.ofTrue(
            DEGRADED, "NotUpgradablePods", "some Pods cannot be updated in place; the message counts them");
    private static final ConditionReason DEGRADED_AS_INVALID = ConditionReason.ofTrue(
            DEGRADED, "InvalidSidecarSet", "the stored set does not pass validation; the message names the field");

    static Progress of(Counts counts, Batch batch) {
        return new Progress(counts, batch.due(), batch.notUpgradable().size(), Optional.empty());
    }

    Progress refusedBecause(Optional<String> reason) {
        return new Progress(counts, due, stuck, reason);
    }

    /** Why the last look at a set, as it is now, could not change all Pods; empty if it could. */
    static Optional<String> lastRefusal(SidecarSet set) {
        Conditions told = Conditions.of(set, Instant.EPOCH);
        return told.find(DEGRADED)
                .filter(condition -> UPDATE_REFUSED.reason().equals(condition.getReason()))
                .filter(condition -> Objects.equals(condition.getObservedGeneration(), told.observedGeneration()))
                .map(Condition::getMessage);
    }

    Conditions conditions(SidecarSet set, Instant now) {
        return degraded(progressing(Conditions.of(set, now), set.getSpec()));
    }

    /** Of a set that nothing can be done with. */
    static Conditions invalid(SidecarSet set, String problem, Instant now) {
        return Conditions.of(set, now).with(NOT_PROGRESSING_AS_INVALID, problem).with(DEGRADED_AS_INVALID, problem);
    }

    private Conditions progressing(Conditions before, SidecarSetSpec spec) {
        int behind = counts.matched() - counts.updated();
        String pods = counts.updated() + " of " + counts.matched() + " Pods are updated, " + counts.updatedReady()
                + " of these are ready";
        UpdateStrategy strategy = spec.updateStrategy();
        if (behind == 0 && counts.updatedReady() == counts.updated()) {
            return before.with(UP_TO_DATE, pods);
        }
        if (strategy != null && UpdateStrategy.NOT_UPDATE.equals(strategy.type())) {
            return before.with(NOT_UPDATE, pods + "; the strategy's type is NotUpdate");
        }
        if (strategy != null && Boolean.TRUE.equals(strategy.paused())) {
            return before.with(PAUSED, pods + "; the strategy is paused");
        }
        if (counts.updatedReady() == counts.updated() && due == 0 && stuck == behind) {
            return before.with(NOT_UPGRADABLE, pods + "; the others need more than new images");
        }
        if (counts.updatedReady() == counts.updated() && due == 0) {
            return before.with(HELD_BACK, pods + "; " + heldBackBy(spec));
        }
        return before.with(ROLLING_OUT, pods);
    }

    private Conditions degraded(Conditions before) {
        if (refusal.isPresent()) {
            return before.with(UPDATE_REFUSED, refusal.get());
        }
        return stuck == 0
                ? before.with(AS_EXPECTED, "nothing stands in the way")
                : before.with(
                        NOT_UPGRADABLE_PODS,
                        stuck + " Pods cannot be updated in place: more than their images has changed");
    }

    private static String heldBackBy(SidecarSetSpec spec) {
        return spec.updateStrategy() != null && spec.updateStrategy().selector() != null
                ? "the strategy's selector holds the others back"
                : "the strategy's partition holds the others back";
    }
}
