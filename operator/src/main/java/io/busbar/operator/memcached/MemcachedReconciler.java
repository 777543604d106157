package io.busbar.operator.memcached;

import static io.busbar.reconciler.dependent.Rollout.AVAILABLE;
import static io.busbar.reconciler.dependent.Rollout.DEGRADED;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.memcached.v1alpha1.Memcached;
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
final class MemcachedReconciler implements Reconciler<Memcached> {

    private static final Template DEPLOYMENT = Template.beside(MemcachedReconciler.class, "deployment.yaml");
    private static final Apply HOW = Apply.standard().decidingAllOf("spec.template.spec.containers.ports");
    private static final String FINALIZING = "Finalizing";

    private final String image;
    private final Clock clock;

    MemcachedReconciler(String image, Clock clock) {
        this.image = image;
        this.clock = clock;
    }

    @Override
    public ReconcileResult reconcile(Memcached memcached, ReconcileContext<Memcached> context) {
        Conditions conditions = Conditions.of(memcached, clock.instant());
        if (conditions.list().isEmpty()) {
            conditions = conditions.withUnknown(AVAILABLE, "Reconciling", "Starting reconciliation");
            context.status(told(memcached, conditions));
        }
        Stages stages = new Stages(context, HOW).then(deployment(memcached));
        conditions = stages.rollout().conditions(conditions);
        context.status(memcached.with(
                new MemcachedStatus(conditions.list(), conditions.observedGeneration(), stages.readyReplicas())));
        return stages.result();
    }

    /** Its Deployment needs no help to go: the garbage collector follows the owner reference. */
    @Override
    public CleanupResult cleanup(Memcached memcached, ReconcileContext<Memcached> context) {
        Conditions conditions = Conditions.of(memcached, clock.instant());
        if (!conditions.isTrue(DEGRADED, FINALIZING)) {
            conditions = conditions.withUnknown(DEGRADED, FINALIZING, "what precedes the deletion has begun");
            context.status(told(memcached, conditions));
            context.events()
                    .warning(memcached, "Deleting", "DeleteCR", "Memcached " + context.key() + " is being deleted");
            conditions = conditions.with(DEGRADED, true, FINALIZING, "what precedes the deletion is done");
            context.status(told(memcached, conditions));
        }
        return CleanupResult.done();
    }

    /** With these conditions, and all else as it was told last. */
    private static Memcached told(Memcached memcached, Conditions conditions) {
        MemcachedStatus before = memcached.getStatus();
        int ready = before == null ? 0 : before.readyReplicas();
        return memcached.with(new MemcachedStatus(conditions.list(), conditions.observedGeneration(), ready));
    }

    Deployment deployment(Memcached memcached) {
        return DEPLOYMENT.fill(
                Deployment.class,
                Map.of(
                        "name", memcached.getMetadata().getName(),
                        "namespace", memcached.getMetadata().getNamespace(),
                        "size", memcached.wanted().size(),
                        "port", memcached.wanted().containerPort(),
                        "image", image));
    }
}
