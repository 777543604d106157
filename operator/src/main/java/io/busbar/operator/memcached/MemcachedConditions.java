package io.busbar.operator.memcached;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.busbar.operator.memcached.v1alpha1.MemcachedStatus;
import io.busbar.reconciler.dependent.Rollout;
import io.busbar.reconciler.dependent.Stages;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What is said of a Memcached from its first look to its end. Each method gives the object with its next status. Any thread. */
final class MemcachedConditions {

    private static final String FINALIZING = "Finalizing";

    private final Clock clock;

    MemcachedConditions(Clock clock) {
        this.clock = clock;
    }

    /** Available is unknown, unless something has been said already. */
    Memcached begun(Memcached memcached) {
        MemcachedStatus status = status(memcached);
        return status.conditions().isEmpty()
                ? with(memcached, condition(Rollout.AVAILABLE, "Unknown", "Reconciling", "Starting reconciliation"))
                : memcached.with(status);
    }

    /** How far the Deployment is. */
    Memcached observed(Memcached memcached, Stages stages) {
        long generation = generation(memcached);
        List<Condition> conditions =
                stages.rollout().conditions(status(memcached).conditions(), generation, clock.instant());
        return memcached.with(new MemcachedStatus(conditions, generation, readyReplicas(stages)));
    }

    /** The finalizer's work begins. */
    Memcached finalizing(Memcached memcached) {
        return with(
                memcached, condition(Rollout.DEGRADED, "Unknown", FINALIZING, "what precedes the deletion has begun"));
    }

    /** The finalizer's work is done. */
    Memcached finalized(Memcached memcached) {
        return with(memcached, condition(Rollout.DEGRADED, "True", FINALIZING, "what precedes the deletion is done"));
    }

    static boolean isFinalized(Memcached memcached) {
        return Conditions.find(status(memcached).conditions(), Rollout.DEGRADED)
                .filter(degraded -> degraded.getStatus().equals("True")
                        && degraded.getReason().equals(FINALIZING))
                .isPresent();
    }

    private Memcached with(Memcached memcached, ConditionBuilder condition) {
        MemcachedStatus before = status(memcached);
        long generation = generation(memcached);
        List<Condition> conditions = Conditions.with(
                before.conditions(),
                condition.withObservedGeneration(generation).build(),
                clock.instant());
        return memcached.with(new MemcachedStatus(conditions, generation, before.readyReplicas()));
    }

    private static ConditionBuilder condition(String type, String status, String reason, String message) {
        return new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message);
    }

    private static MemcachedStatus status(Memcached memcached) {
        return Objects.requireNonNullElse(memcached.getStatus(), MemcachedStatus.NONE);
    }

    private static int readyReplicas(Stages stages) {
        return stages.applied(Deployment.class).stream()
                .map(Deployment::getStatus)
                .filter(Objects::nonNull)
                .map(DeploymentStatus::getReadyReplicas)
                .filter(Objects::nonNull)
                .mapToInt(Integer::intValue)
                .sum();
    }

    private static long generation(Memcached memcached) {
        return Optional.ofNullable(memcached.getMetadata().getGeneration()).orElse(0L);
    }
}
