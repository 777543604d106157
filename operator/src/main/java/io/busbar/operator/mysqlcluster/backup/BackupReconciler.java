package io.busbar.operator.mysqlcluster.backup;

import io.busbar.admission.FieldProblem;
import io.busbar.common.ObjectKey;
import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.observe.PodAddressing;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.Mode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Lets one Job make the file of a backup, one backup of a cluster at a time, and tells what has come of it. A backup is
 * made once: whatever interrupts it, it has failed, and another one is made by another MySQLBackup. Any thread.
 */
final class BackupReconciler implements Reconciler<MySQLBackup> {

    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final PodAddressing addressing;
    private final Clock clock;
    private final StorageImage image;
    private final FileRemoval removal;
    private final Trial trial;

    BackupReconciler(PodAddressing addressing, StorageImage image, Clock clock) {
        this.addressing = addressing;
        this.image = image;
        this.clock = clock;
        this.removal = new FileRemoval(image, clock);
        this.trial = new Trial(image, clock);
    }

    @Override
    public ReconcileResult reconcile(MySQLBackup backup, ReconcileContext<MySQLBackup> context) {
        if (Backups.isFinished(backup)) {
            return trial.of(backup, cluster(backup, context), context);
        }
        Optional<Job> job = BackupJobs.owned(BackupJobs.name(backup), backup, Backups.isRunning(backup), context);
        if (job.isPresent()) {
            return follow(backup, job.get(), context);
        }
        return Backups.isRunning(backup)
                ? fail(
                        backup,
                        context,
                        BackupReasons.JOB_VANISHED,
                        "its Job was deleted before it had ended: make another MySQLBackup")
                : begin(backup, context);
    }

    @Override
    public CleanupResult cleanup(MySQLBackup backup, ReconcileContext<MySQLBackup> context) {
        return removal.of(backup, cluster(backup, context), context);
    }

    private ReconcileResult begin(MySQLBackup backup, ReconcileContext<MySQLBackup> context) {
        String name = backup.getSpec().clusterName();
        MySQLCluster cluster = cluster(backup, context).orElse(null);
        if (cluster == null) {
            return wait(
                    backup,
                    context,
                    BackupReasons.CLUSTER_MISSING,
                    "there is no MySQLCluster " + name + " in this namespace");
        }
        if (cluster.wanted().mode() == Mode.Simple) {
            return fail(
                    backup,
                    context,
                    BackupReasons.NOT_REPLICATED,
                    "the servers of MySQLCluster " + name
                            + " are independent of each other: only one with spec.mode Replicated is backed up");
        }
        BackupStorage storage = Storages.of(backup, cluster).orElse(null);
        if (storage == null) {
            return fail(
                    backup,
                    context,
                    BackupReasons.NO_STORAGE,
                    "neither spec.storage nor spec.backup.storage of MySQLCluster " + name
                            + " says where to: set pvc.claimName, hostPath or s3, one of them, and make another"
                            + " MySQLBackup");
        }
        boolean isOwn = backup.getSpec().storage() != null;
        Optional<FieldProblem> problem =
                StorageRules.problems(isOwn ? "spec.storage" : "spec.backup.storage", storage).stream()
                        .findFirst();
        if (problem.isPresent()) {
            String where = isOwn ? "" : "MySQLCluster " + name + ": ";
            String message = where + problem.get() + "; make another MySQLBackup";
            return fail(backup, context, BackupReasons.NO_STORAGE, message);
        }
        Optional<String> storageImage = Storages.image(storage, image, context.client());
        if (storageImage.isEmpty()) {
            return fail(
                    backup,
                    context,
                    BackupReasons.STORAGE_IMAGE_UNKNOWN,
                    StorageImage.UNKNOWN + ", and make another MySQLBackup");
        }
        Optional<MySQLBackup> ahead = Backups.ahead(
                backup,
                context.lister(MySQLBackup.class)
                        .by(Backups.BY_CLUSTER, Backups.cluster(backup).toString()));
        if (ahead.isPresent()) {
            return wait(
                    backup,
                    context,
                    BackupReasons.ANOTHER_RUNS,
                    "waiting for MySQLBackup " + ahead.get().getMetadata().getName());
        }
        Optional<Source> source = Source.of(
                cluster,
                addressing,
                pod -> Optional.ofNullable(context.client()
                        .pods()
                        .inNamespace(context.key().namespace())
                        .withName(pod)
                        .get()));
        if (source.isEmpty() || Mark.of(cluster).isPresent()) {
            return wait(
                    backup,
                    context,
                    BackupReasons.NO_SOURCE,
                    "waiting for a member of MySQLCluster " + name + " that serves");
        }
        Job job = context.create(BackupJobs.backup(cluster, backup, storage, storageImage.get(), source.get()));
        return follow(backup, job, context);
    }

    private ReconcileResult follow(MySQLBackup backup, Job job, ReconcileContext<MySQLBackup> context) {
        JobReport report = JobReport.of(job, context.client(), clock.instant());
        MySQLBackup running = Backups.isRunning(backup) ? backup : context.status(started(backup, job));
        switch (report.state()) {
            case RUNNING -> {}
            case FAILED ->
                fail(
                        running,
                        context,
                        BackupReasons.JOB_FAILED,
                        report.text("message")
                                + "; nothing of it counts: mend what it says, and make another MySQLBackup");
            case SUCCEEDED -> complete(running, report, context);
        }
        return ReconcileResult.awaitChange();
    }

    private MySQLBackup started(MySQLBackup backup, Job job) {
        return BackupProgress.running(
                backup,
                Objects.requireNonNullElse(job.getMetadata().getAnnotations().get(ClusterKeys.SOURCE.name()), ""),
                Storages.of(job).orElse(null),
                Objects.requireNonNullElse(job.getMetadata().getCreationTimestamp(), now().toString()),
                now());
    }

    /** A file that nothing is known of does not count. */
    private void complete(MySQLBackup backup, JobReport report, ReconcileContext<MySQLBackup> context) {
        if (report.text("sha256").isEmpty() || !report.text("sizeBytes").matches("[0-9]{1,18}")) {
            fail(
                    backup,
                    context,
                    BackupReasons.NO_REPORT,
                    "its Pod was gone before it could tell what it has made: make another MySQLBackup");
            return;
        }
        MySQLBackup complete = context.status(BackupProgress.complete(backup, report, now()));
        String note = report.text("file") + ", " + report.text("sizeBytes") + " bytes, at " + report.text("gtid");
        context.events().normal(complete, "BackupCompleted", "Backup", note);
        cluster(backup, context)
                .ifPresent(cluster -> context.events()
                        .normal(
                                cluster,
                                "BackupCompleted",
                                "Backup",
                                backup.getMetadata().getName() + ": " + note));
    }

    private ReconcileResult fail(
            MySQLBackup backup, ReconcileContext<MySQLBackup> context, ConditionReason reason, String message) {
        MySQLBackup failed = context.status(BackupProgress.failed(backup, reason, message, now()));
        context.events().warning(failed, "BackupFailed", "Backup", message);
        cluster(backup, context)
                .ifPresent(cluster -> context.events()
                        .warning(
                                cluster,
                                "BackupFailed",
                                "Backup",
                                backup.getMetadata().getName() + ": " + message));
        return ReconcileResult.awaitChange();
    }

    private ReconcileResult wait(
            MySQLBackup backup, ReconcileContext<MySQLBackup> context, ConditionReason reason, String message) {
        context.status(BackupProgress.waiting(backup, reason, message, now()));
        return ReconcileResult.requeueAfter(AGAIN);
    }

    private static Optional<MySQLCluster> cluster(MySQLBackup backup, ReconcileContext<MySQLBackup> context) {
        ObjectKey key = Backups.cluster(backup);
        return context.lister(MySQLCluster.class).get(key);
    }

    private Instant now() {
        return clock.instant();
    }
}
