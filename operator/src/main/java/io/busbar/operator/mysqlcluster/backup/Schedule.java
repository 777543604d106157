package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.topology.ClusterReasons;
import io.busbar.operator.mysqlcluster.topology.Step;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.DeletionPolicy;
import io.busbar.operator.mysqlcluster.v1alpha1.LastBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes backups when they are due, and deletes the oldest of those that it made. What is due stands in the status: of runs that were missed
 * while no operator was there, one is caught up on. The name of a backup says when it was due, so it is not made twice.
 *
 * <p>The backups are not owned by the cluster, so that they outlive it; they are found by {@code spec.clusterName}. Any thread.
 */
public final class Schedule implements Step {

    @Override
    public Next take(Turn turn) {
        BackupSpec spec = turn.spec().backup();
        List<MySQLBackup> all = turn.context()
                .lister(MySQLBackup.class)
                .by(Backups.BY_CLUSTER, turn.context().key().toString());
        tell(turn, all);
        Plan plan = spec == null ? Plan.NOTHING : Plan.of(spec, turn.draft().nextBackupTime(), turn.now(), all);
        if (spec != null) {
            plan.due().ifPresent(run -> make(turn, spec, run, all));
        }
        turn.draft().nextBackupTime(plan.next().map(Instant::toString).orElse(null));
        plan.outdated().forEach(turn.context()::delete);
        return Next.GO_ON;
    }

    private static void tell(Turn turn, List<MySQLBackup> all) {
        all.stream()
                .filter(Backups::isComplete)
                .max(Plan.BY_COMPLETION)
                .ifPresent(last -> turn.draft()
                        .lastBackup(new LastBackup(
                                last.getMetadata().getName(),
                                last.told().completionTime(),
                                last.told().gtid())));
        all.stream().filter(Backups::isFinished).max(Plan.BY_COMPLETION).ifPresent(last -> {
            MySQLBackupStatus status = last.told();
            String name = last.getMetadata().getName();
            boolean complete = Backups.isComplete(last);
            turn.draft()
                    .note(
                            complete ? ClusterReasons.LAST_BACKUP_COMPLETE : ClusterReasons.LAST_BACKUP_FAILED,
                            complete ? name + " is complete" : name + ": " + status.message());
        });
    }

    private static void make(Turn turn, BackupSpec spec, Instant run, List<MySQLBackup> all) {
        String cluster = turn.cluster().getMetadata().getName();
        String name = Plan.name(cluster, run);
        if (all.stream().anyMatch(backup -> backup.getMetadata().getName().equals(name))) {
            return;
        }
        Optional<MySQLBackup> running =
                all.stream().filter(backup -> !Backups.isFinished(backup)).findFirst();
        if (running.isPresent()) {
            turn.warn(
                    "BackupSkipped",
                    "Schedule",
                    "the backup of " + run + " is left out: "
                            + running.get().getMetadata().getName() + " is not finished");
            return;
        }
        try {
            turn.context()
                    .remember(turn.context()
                            .client()
                            .resource(backup(turn, spec, name, run))
                            .create());
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw failure;
            }
            return;
        }
        turn.tell("BackupScheduled", "Schedule", name);
    }

    private static MySQLBackup backup(Turn turn, BackupSpec spec, String name, Instant time) {
        String cluster = turn.cluster().getMetadata().getName();
        MySQLBackup backup = new MySQLBackup();
        backup.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(turn.cluster().getMetadata().getNamespace())
                .withLabels(ClusterNames.labels(cluster))
                .withAnnotations(Map.of(ClusterKeys.SCHEDULED_AT.name(), time.toString()))
                .build());
        backup.setSpec(new MySQLBackupSpec(cluster, spec.databases(), spec.storage(), DeletionPolicy.Delete));
        return backup;
    }
}
