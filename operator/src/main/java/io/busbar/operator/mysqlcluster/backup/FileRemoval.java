package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.BootstrapFrom;
import io.busbar.operator.mysqlcluster.v1alpha1.DeletionPolicy;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Removes the file of a backup that is deleted, where it says so. A file that cannot be removed does not keep the
 * MySQLBackup from going.
 *
 * <p>Any thread.
 */
final class FileRemoval {

    private static final Duration AGAIN = Duration.ofSeconds(2);
    private static final Duration WHILE_NEEDED = Duration.ofSeconds(15);

    private final StorageImage image;
    private final Clock clock;

    FileRemoval(StorageImage image, Clock clock) {
        this.image = image;
        this.clock = clock;
    }

    /**
     * @param cluster of the backup, if it is there still
     */
    CleanupResult of(MySQLBackup backup, Optional<MySQLCluster> cluster, ReconcileContext<MySQLBackup> context) {
        Optional<Job> backupJob = context.owned(Job.class).stream()
                .filter(job -> job.getMetadata().getName().equals(BackupJobs.name(backup)))
                .filter(job -> !job.isMarkedForDeletion())
                .findFirst();
        if (backupJob.isPresent() && !Backups.isFinished(backup)) {
            context.delete(backupJob.get());
            return CleanupResult.notYet(AGAIN);
        }
        BackupStorage storage = backup.told().storage();
        if (backup.getSpec().deletionPolicy() == DeletionPolicy.Retain || storage == null) {
            return CleanupResult.done();
        }
        Job running = context.client()
                .batch()
                .v1()
                .jobs()
                .inNamespace(context.key().namespace())
                .withName(BackupJobs.removalName(backup))
                .get();
        if (running != null) {
            return follow(backup, storage, running, context);
        }
        Optional<String> reader = reader(backup, context);
        if (reader.isPresent()) {
            context.events()
                    .normal(
                            backup,
                            "FileNeeded",
                            "Remove",
                            "its file stays until " + reader.get() + " has been given it");
            return CleanupResult.notYet(WHILE_NEEDED);
        }
        Optional<String> storageImage = Storages.image(storage, image, context.client());
        if (storageImage.isEmpty()) {
            return left(backup, storage, StorageImage.UNKNOWN, context);
        }
        return begin(
                BackupJobs.remove(cluster.orElseGet(() -> gone(backup)), backup, storage, storageImage.get()),
                backupJob,
                context);
    }

    /** Who is being given what the file holds, or is to be: it may be all that is left of the data by then. */
    private static Optional<String> reader(MySQLBackup backup, ReconcileContext<MySQLBackup> context) {
        String namespace = context.key().namespace();
        // As they are now: a watch may not show one yet that has been told already that the backup can be put back.
        Stream<String> restores =
                context.client().resources(MySQLRestore.class).inNamespace(namespace).list().getItems().stream()
                        .filter(restore -> Restores.needs(restore, backup))
                        .map(restore ->
                                "the MySQLRestore " + restore.getMetadata().getName());
        Stream<String> clusters = context.lister(MySQLCluster.class).list().stream()
                .filter(cluster -> cluster.getMetadata().getNamespace().equals(namespace))
                .filter(cluster -> beginsWith(cluster, backup))
                .map(cluster -> "the MySQLCluster " + cluster.getMetadata().getName());
        return Stream.concat(restores, clusters).findFirst();
    }

    /** Whether it is to, and has not yet. */
    private static boolean beginsWith(MySQLCluster cluster, MySQLBackup backup) {
        BootstrapFrom from = cluster.wanted().bootstrapFrom();
        return from != null
                && backup.getMetadata().getName().equals(from.backupName())
                && cluster.told().currentPrimary() == null
                && !cluster.isMarkedForDeletion();
    }

    /** Not owned by the backup: in a deletion in the foreground it would go before it has run. */
    private static CleanupResult begin(Job job, Optional<Job> like, ReconcileContext<MySQLBackup> context) {
        like.ifPresent(one -> runLike(one, job));
        try {
            context.client().resource(job).create();
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                    && String.valueOf(failure.getMessage()).contains("is being terminated")) {
                return CleanupResult.done();
            }
            throw failure;
        }
        return CleanupResult.notYet(AGAIN);
    }

    /** Of a cluster that is gone nothing else says with what, and on which Nodes, the file can be reached. */
    private static void runLike(Job like, Job job) {
        if (S3Containers.in(job).isEmpty()) {
            ClusterJobs.container(job).setImage(ClusterJobs.container(like).getImage());
        }
        PodSpec where = like.getSpec().getTemplate().getSpec();
        PodSpec spec = job.getSpec().getTemplate().getSpec();
        spec.setNodeSelector(where.getNodeSelector());
        spec.setTolerations(where.getTolerations());
    }

    private CleanupResult follow(
            MySQLBackup backup, BackupStorage storage, Job job, ReconcileContext<MySQLBackup> context) {
        JobReport report = JobReport.of(job, context.client(), clock.instant());
        if (report.state() == JobReport.State.RUNNING) {
            return CleanupResult.notYet(AGAIN);
        }
        context.delete(job);
        return report.state() == JobReport.State.FAILED
                ? left(backup, storage, report.text("message"), context)
                : CleanupResult.done();
    }

    private static CleanupResult left(
            MySQLBackup backup, BackupStorage storage, String why, ReconcileContext<MySQLBackup> context) {
        String note = BackupJobs.file(backup, storage) + " is left in the storage: " + why;
        context.events().warning(backup, "FileLeft", "Remove", note);
        return CleanupResult.done();
    }

    /** What a Job needs to know of a cluster that is there no more. */
    private static MySQLCluster gone(MySQLBackup backup) {
        MySQLCluster cluster = new MySQLCluster();
        cluster.setMetadata(new ObjectMetaBuilder()
                .withName(backup.getSpec().clusterName())
                .withNamespace(backup.getMetadata().getNamespace())
                .build());
        cluster.setSpec(MySQLClusterSpec.empty());
        return cluster;
    }
}
