package io.busbar.charts.run;

import io.busbar.charts.instance.ChartInstance;
import io.busbar.charts.instance.ChartStatus;
import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.reconciler.ReconcileContext;
import java.time.InstantSource;
import java.util.Objects;

/**
 * One reconcile of an instance: the status as it becomes, and the objects.
 *
 * <p>For the thread of that reconcile.
 */
final class Turn<P extends ChartInstance> {

    private final ReconcileContext<P> context;
    private final InstanceObjects<P> objects;
    private final InstantSource clock;
    private P primary;

    Turn(P primary, ReconcileContext<P> context, InstanceObjects.Parts parts, InstantSource clock) {
        this.primary = primary;
        this.context = context;
        this.objects = new InstanceObjects<>(parts, context, primary);
        this.clock = clock;
    }

    InstanceObjects<P> objects() {
        return objects;
    }

    ChartStatus status() {
        return Objects.requireNonNullElseGet(primary.getStatus(), ChartStatus::none);
    }

    long generation() {
        return generation(primary);
    }

    private static long generation(ChartInstance instance) {
        return Objects.requireNonNullElse(instance.getMetadata().getGeneration(), 0L);
    }

    /** Writes it, where it differs. */
    void save(ChartStatus status) {
        primary = context.status(with(primary, status));
    }

    /** Writes a condition, with the rest of a status. */
    void tell(ChartStatus status, ConditionReason reason, String message) {
        save(told(primary, status, reason, message, clock));
    }

    static <P extends ChartInstance> ChartStatus told(
            P primary, ChartStatus status, ConditionReason reason, String message, InstantSource clock) {
        Conditions conditions = Conditions.of(status.conditions(), generation(primary), clock.instant())
                .with(reason, message);
        return status.with(conditions.list(), conditions.observedGeneration());
    }

    @SuppressWarnings("unchecked") // a copy is of the same class
    static <P extends ChartInstance> P with(P primary, ChartStatus status) {
        return (P) primary.with(status);
    }
}
