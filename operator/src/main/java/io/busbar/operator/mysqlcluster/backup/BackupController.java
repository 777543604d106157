package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.WatchSpec;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.observe.PodAddressing;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.Write;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Clock;
import java.util.List;
import java.util.function.Function;

/** Declares the controllers of MySQLBackups and of MySQLRestores. Any thread. */
public final class BackupController {

    private BackupController() {}

    /** One worker: of the backups of a cluster, one begins at a time. */
    public static Controller<MySQLBackup> backups(PodAddressing addressing, StorageImage image, Clock clock) {
        return Controller.of(MySQLBackup.class, new BackupReconciler(addressing, image, clock))
                .when(ChangePredicate.generationChanged().or(ChangePredicate.annotationsChanged()))
                .finalizer(ClusterKeys.BACKUP_FILE.name())
                .index(Backups.BY_CLUSTER)
                .owns(WatchSpec.of(Job.class).withLabels(ClusterNames.JOB), Write.CREATE, Write.DELETE)
                .reads(WatchSpec.of(MySQLCluster.class), List.of());
    }

    public static Controller<MySQLRestore> restores(Clock clock) {
        return Controller.of(MySQLRestore.class, new RestoreReconciler(clock))
                .when(ChangePredicate.generationChanged())
                .reads(WatchSpec.of(MySQLCluster.class), List.of());
    }

    /** Lets a cluster's controller see its backups and restores. */
    public static Controller<MySQLCluster> watchedBy(Controller<MySQLCluster> clusters) {
        return clusters.watches(
                        WatchSpec.of(MySQLBackup.class),
                        List.of(Backups.BY_CLUSTER),
                        ChangePredicate.always(),
                        cluster(backup -> backup.getSpec().clusterName()))
                .watches(
                        WatchSpec.of(MySQLRestore.class),
                        List.of(Backups.RESTORES_BY_CLUSTER),
                        ChangePredicate.always(),
                        cluster(restore -> restore.getSpec().clusterName()));
    }

    private static <T extends HasMetadata> KeyMapping<T> cluster(Function<T, String> name) {
        return (object, listers) -> List.of(ObjectKey.of(object.getMetadata().getNamespace(), name.apply(object)));
    }
}
