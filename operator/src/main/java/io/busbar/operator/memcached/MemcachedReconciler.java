package io.busbar.operator.memcached;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.busbar.operator.memcached.v1alpha1.MemcachedSpec;
import io.busbar.operator.memcached.v1alpha1.MemcachedStatus;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.dependent.Stages;
import io.busbar.reconciler.dependent.Template;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Clock;
import java.util.Map;

/** Keeps a Deployment as a Memcached asks for, and tells of it from the first look to the end. Any thread. */
record MemcachedReconciler(String image, Clock clock) implements Reconciler<Memcached> {

    private static final Template DEPLOYMENT = Template.beside(MemcachedReconciler.class, "deployment.yaml");
    private static final Apply HOW = Apply.standard().decidingAllOf("spec.template.spec.containers.ports");
    private static final String FINALIZING = "Finalizing";

    @Override
    public ReconcileResult reconcile(Memcached memcached, ReconcileContext<Memcached> context) {
        Conditions conditions = Conditions.of(memcached, clock.instant());
        if (conditions.list().isEmpty()) {
            conditions = conditions.withUnknown(Conditions.AVAILABLE, "Reconciling", "Starting reconciliation");
            context.status(memcached.with(MemcachedStatus.of(conditions, 0)));
        }
        Stages stages = new Stages(context, HOW).then(deployment(memcached));
        conditions = stages.rollout().conditions(conditions);
        context.status(memcached.with(MemcachedStatus.of(conditions, stages.readyReplicas())));
        return stages.result();
    }

    /** Its Deployment needs no help to go: the garbage collector follows the owner reference. */
    @Override
    public CleanupResult cleanup(Memcached memcached, ReconcileContext<Memcached> context) {
        int ready = memcached.getStatus() == null ? 0 : memcached.getStatus().readyReplicas();
        Conditions conditions = Conditions.of(memcached, clock.instant());
        if (!conditions.isTrue(Conditions.DEGRADED, FINALIZING)) {
            conditions =
                    conditions.withUnknown(Conditions.DEGRADED, FINALIZING, "what precedes the deletion has begun");
            context.status(memcached.with(MemcachedStatus.of(conditions, ready)));
            String note = "Memcached " + context.key() + " is being deleted";
            context.events().warning(memcached, "Deleting", "DeleteCR", note);
            conditions = conditions.with(Conditions.DEGRADED, true, FINALIZING, "what precedes the deletion is done");
            context.status(memcached.with(MemcachedStatus.of(conditions, ready)));
        }
        return CleanupResult.done();
    }

    Deployment deployment(Memcached memcached) {
        MemcachedSpec spec = memcached.withDefaults().getSpec();
        Map<String, ?> values = Map.of("size", spec.size(), "port", spec.containerPort(), "image", image);
        return DEPLOYMENT.fill(Deployment.class, memcached, values);
    }
}
