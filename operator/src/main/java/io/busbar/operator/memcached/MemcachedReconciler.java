package io.busbar.operator.memcached;

import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.dependent.Stages;

/** Keeps a Deployment as a Memcached asks for. Any thread. */
final class MemcachedReconciler implements Reconciler<Memcached> {

    private static final Apply HOW = Apply.standard().decidingAllOf("spec.template.spec.containers.ports");

    private final MemcachedDeployment deployment;
    private final MemcachedConditions conditions;

    MemcachedReconciler(MemcachedDeployment deployment, MemcachedConditions conditions) {
        this.deployment = deployment;
        this.conditions = conditions;
    }

    @Override
    public ReconcileResult reconcile(Memcached memcached, ReconcileContext<Memcached> context) {
        Memcached begun = context.status(conditions.begun(memcached));
        Stages stages = new Stages(context, HOW).then(deployment.of(memcached));
        context.status(conditions.observed(begun, stages));
        return stages.result();
    }

    /** Its Deployment needs no help to go: the garbage collector follows the owner reference. */
    @Override
    public CleanupResult cleanup(Memcached memcached, ReconcileContext<Memcached> context) {
        if (!MemcachedConditions.isFinalized(memcached)) {
            Memcached finalizing = context.status(conditions.finalizing(memcached));
            context.events()
                    .warning(memcached, "Deleting", "DeleteCR", "Memcached " + context.key() + " is being deleted");
            context.status(conditions.finalized(finalizing));
        }
        return CleanupResult.done();
    }
}
