package io.busbar.reconciler.dependent;

import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How far a Deployment has come.
 *
 * <p>Immutable. Source of the rules: {@code kubectl rollout status}.
 *
 * @param state of what its spec asks for
 * @param available whether as many Pods are available as it asks for, of whatever version
 * @param message for people, naming the Deployment
 */
public record Rollout(State state, boolean available, String message) {

    /** The condition type that tells whether all Pods asked for are available. */
    public static final String AVAILABLE = Conditions.AVAILABLE;

    /** The condition type that tells whether something is still on its way. */
    public static final String PROGRESSING = Conditions.PROGRESSING;

    /** The condition type that tells whether somebody must look. */
    public static final String DEGRADED = Conditions.DEGRADED;

    /** What a rollout comes to. */
    public enum State {
        PROGRESSING,
        /** Its deadline is over. */
        STALLED,
        /** What is desired cannot be stored as it is. */
        REFUSED,
        /** What is in its place is somebody else's. */
        NOT_OWNED,
        /** Something went wrong that may mend by itself. */
        FAILED,
        COMPLETE
    }

    public static Rollout of(Deployment deployment) {
        String name = "Deployment " + deployment.getMetadata().getName();
        DeploymentStatus status = Objects.requireNonNullElseGet(deployment.getStatus(), DeploymentStatus::new);
        int wanted = orZero(deployment.getSpec().getReplicas());
        int updated = orZero(status.getUpdatedReplicas());
        int ready = orZero(status.getAvailableReplicas());
        boolean seen = orZero(status.getObservedGeneration())
                >= orZero(deployment.getMetadata().getGeneration());
        boolean available = seen && ready >= wanted;
        if (!seen) {
            return new Rollout(State.PROGRESSING, false, name + " has not been looked at yet");
        }
        Optional<DeploymentCondition> stalled = status.getConditions().stream()
                .filter(condition -> condition.getType().equals(PROGRESSING)
                        && RolloutReasons.DEADLINE_EXCEEDED.equals(condition.getReason()))
                .findFirst();
        if (stalled.isPresent()) {
            return new Rollout(
                    State.STALLED, available, name + ": " + stalled.get().getMessage());
        }
        if (updated < wanted) {
            return new Rollout(
                    State.PROGRESSING, available, name + ": " + updated + " of " + wanted + " Pods are updated");
        }
        if (orZero(status.getReplicas()) > updated) {
            int old = status.getReplicas() - updated;
            return new Rollout(State.PROGRESSING, available, name + ": " + old + " old Pods are still there");
        }
        if (ready < updated) {
            return new Rollout(
                    State.PROGRESSING, available, name + ": " + ready + " of " + updated + " Pods are available");
        }
        return new Rollout(State.COMPLETE, true, name + ": " + ready + " of " + wanted + " Pods are available");
    }

    /** Several as one: the worst state, with the message of the first that has it. */
    public static Rollout of(List<Deployment> deployments) {
        List<Rollout> rollouts = deployments.stream().map(Rollout::of).toList();
        boolean available = rollouts.stream().allMatch(Rollout::available);
        for (State state : List.of(State.STALLED, State.PROGRESSING)) {
            for (Rollout rollout : rollouts) {
                if (rollout.state == state) {
                    return new Rollout(state, available, rollout.message);
                }
            }
        }
        return new Rollout(State.COMPLETE, available, "all Pods are available");
    }

    /**
     * A primary's conditions with {@value #AVAILABLE}, {@value #PROGRESSING} and {@value #DEGRADED} as this rollout has
     * them.
     */
    public Conditions conditions(Conditions before) {
        ConditionReason progress = switch (state) {
            case PROGRESSING -> RolloutReasons.ROLLING_OUT;
            case STALLED -> RolloutReasons.STALLED;
            case REFUSED -> RolloutReasons.REFUSED;
            case NOT_OWNED -> RolloutReasons.NOT_OWNED;
            case FAILED -> RolloutReasons.FAILED;
            case COMPLETE -> RolloutReasons.ROLLED_OUT;
        };
        ConditionReason health = switch (state) {
            case STALLED -> RolloutReasons.DEGRADED_AS_STALLED;
            case REFUSED -> RolloutReasons.DEGRADED_AS_REFUSED;
            case NOT_OWNED -> RolloutReasons.DEGRADED_AS_NOT_OWNED;
            case FAILED -> RolloutReasons.DEGRADED_AS_FAILED;
            case PROGRESSING, COMPLETE -> RolloutReasons.AS_EXPECTED;
        };
        return before.with(available ? RolloutReasons.ALL_AVAILABLE : RolloutReasons.SOME_UNAVAILABLE, message)
                .with(progress, message)
                .with(health, message);
    }

    private static int orZero(Integer number) {
        return Objects.requireNonNullElse(number, 0);
    }

    private static long orZero(Long number) {
        return Objects.requireNonNullElse(number, 0L);
    }
}
