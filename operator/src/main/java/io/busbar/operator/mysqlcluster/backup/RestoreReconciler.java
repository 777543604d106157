package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.ObjectKey;
import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.v1alpha1.Mode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * Tells of restores whose cluster does not take care of them, why. All else is done in the turns of the cluster. Any
 * thread.
 */
final class RestoreReconciler implements Reconciler<MySQLRestore> {

    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final Clock clock;

    RestoreReconciler(Clock clock) {
        this.clock = clock;
    }

    @Override
    public ReconcileResult reconcile(MySQLRestore restore, ReconcileContext<MySQLRestore> context) {
        if (Restores.isFinished(restore)) {
            return ReconcileResult.awaitChange();
        }
        String name = restore.getSpec().clusterName();
        Optional<MySQLCluster> cluster = context.lister(MySQLCluster.class)
                .get(ObjectKey.of(context.key().namespace(), name));
        if (cluster.isEmpty()) {
            return pending(
                    restore,
                    context,
                    RestoreReasons.CLUSTER_MISSING,
                    "there is no MySQLCluster " + name + " in this namespace");
        }
        if (cluster.get().wanted().mode() == Mode.Simple) {
            String message = "the servers of MySQLCluster " + name
                    + " are independent of each other: only one with spec.mode Replicated is restored";
            MySQLRestore failed = context.status(
                    RestoreProgress.failed(restore, RestoreReasons.NOT_REPLICATED, message, clock.instant()));
            context.events().warning(failed, "RestoreFailed", "Restore", message);
            return ReconcileResult.awaitChange();
        }
        if (cluster.get().wanted().paused()) {
            return pending(
                    restore,
                    context,
                    RestoreReasons.CLUSTER_PAUSED,
                    "spec.paused of MySQLCluster " + name + " is true");
        }
        return ReconcileResult.requeueAfter(AGAIN);
    }

    private ReconcileResult pending(
            MySQLRestore restore, ReconcileContext<MySQLRestore> context, ConditionReason reason, String message) {
        context.status(RestoreProgress.pending(restore, reason, message, clock.instant()));
        return ReconcileResult.requeueAfter(AGAIN);
    }
}
