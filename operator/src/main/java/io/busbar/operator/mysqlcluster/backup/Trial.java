package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.VerificationStatus;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Has a complete backup loaded into a server of its own when its annotation asks for that, one backup of a cluster at a
 * time, and tells what comes back. Whatever that is, the backup stays. Any thread.
 */
final class Trial {

    private static final Duration AGAIN = Duration.ofSeconds(5);

    private static final String PENDING = "Pending";
    private static final String RUNNING = "Running";
    private static final String VERIFIED = "Verified";
    private static final String FAILED = "Failed";

    private final StorageImage image;
    private final Clock clock;

    Trial(StorageImage image, Clock clock) {
        this.image = image;
        this.clock = clock;
    }

    /**
     * @param backup that is finished
     * @param cluster of the backup, if it is there
     */
    ReconcileResult of(MySQLBackup backup, Optional<MySQLCluster> cluster, ReconcileContext<MySQLBackup> context) {
        String request = ClusterKeys.VERIFY.of(backup).orElse("");
        if (!isAsked(backup)) {
            return ReconcileResult.awaitChange();
        }
        Job job = job(backup, context);
        if (job == null) {
            return begin(backup, request, cluster, context);
        }
        if (!ClusterKeys.VERIFY.of(job).filter(request::equals).isPresent()) {
            context.delete(job);
            return ReconcileResult.requeueAfter(AGAIN);
        }
        return follow(backup, request, cluster, job, context);
    }

    /** Whether its annotation asks for what was not done yet. */
    private static boolean isAsked(MySQLBackup backup) {
        VerificationStatus told = backup.told().verification();
        return Backups.isComplete(backup)
                && ClusterKeys.VERIFY
                        .of(backup)
                        .filter(request -> !request.isEmpty())
                        .filter(request -> told == null
                                || told.time() == null
                                || !told.request().equals(request))
                        .isPresent();
    }

    private ReconcileResult begin(
            MySQLBackup backup, String request, Optional<MySQLCluster> cluster, ReconcileContext<MySQLBackup> context) {
        if (cluster.isEmpty()) {
            String name = backup.getSpec().clusterName();
            return wait(
                    backup,
                    request,
                    "waiting for MySQLCluster " + name + ": it says what server the backup is to be loaded into",
                    context);
        }
        Optional<MySQLBackup> other = ahead(backup, context);
        if (other.isPresent()) {
            return wait(
                    backup,
                    request,
                    "waiting for the verification of MySQLBackup "
                            + other.get().getMetadata().getName(),
                    context);
        }
        MySQLBackupStatus status = backup.told();
        if (status.storage() == null || status.file() == null || status.sha256() == null) {
            String message = "its status does not say storage, file and sha256";
            return end(backup, request, BackupReasons.UNREADABLE, message, cluster, context);
        }
        Optional<String> storageImage = Storages.image(status.storage(), image, context.client());
        if (storageImage.isEmpty()) {
            return end(backup, request, BackupReasons.NOT_VERIFIED, StorageImage.UNKNOWN, cluster, context);
        }
        StoredBackup stored = StoredBackup.of(backup, storageImage.get());
        Job job = context.create(BackupJobs.trial(cluster.get(), backup, stored, request));
        return follow(backup, request, cluster, job, context);
    }

    private ReconcileResult follow(
            MySQLBackup backup,
            String request,
            Optional<MySQLCluster> cluster,
            Job job,
            ReconcileContext<MySQLBackup> context) {
        JobReport report = JobReport.of(job, context.client(), clock.instant());
        if (report.state() == JobReport.State.RUNNING) {
            String message = "it is loaded into a server of its own";
            context.status(told(backup, new VerificationStatus(RUNNING, request, null, message)));
            return ReconcileResult.awaitChange();
        }
        String message = report.text("message");
        return end(
                backup,
                request,
                reason(report),
                message.isEmpty() ? "its Pod was gone before it could tell what it has found" : message,
                cluster,
                context);
    }

    private static ConditionReason reason(JobReport report) {
        return switch (report.text("verdict")) {
            case "Verified" -> BackupReasons.VERIFIED;
            case "NotLoaded" -> BackupReasons.NOT_LOADED;
            case "Different" -> BackupReasons.DIFFERENT;
            case "Unreadable" -> BackupReasons.UNREADABLE;
            case "NotVerified" -> BackupReasons.NOT_VERIFIED;
            default ->
                // What reaches S3 tells why it does not, and knows no verdicts.
                report.isSilent() || report.state() == JobReport.State.SUCCEEDED
                        ? BackupReasons.NOT_VERIFIED
                        : BackupReasons.UNREADABLE;
        };
    }

    private ReconcileResult wait(
            MySQLBackup backup, String request, String message, ReconcileContext<MySQLBackup> context) {
        context.status(told(backup, new VerificationStatus(PENDING, request, null, message)));
        return ReconcileResult.requeueAfter(AGAIN);
    }

    private ReconcileResult end(
            MySQLBackup backup,
            String request,
            ConditionReason reason,
            String message,
            Optional<MySQLCluster> cluster,
            ReconcileContext<MySQLBackup> context) {
        boolean isGood = reason.status() == ConditionReason.Status.TRUE;
        String time = BackupProgress.seconds(clock.instant());
        VerificationStatus outcome = new VerificationStatus(isGood ? VERIFIED : FAILED, request, time, message);
        MySQLBackup before = told(backup, outcome);
        MySQLBackup ended = context.status(before.with(before.told().toBuilder()
                .conditions(Conditions.of(backup, clock.instant())
                        .with(reason, message)
                        .list())
                .build()));
        String note = backup.getMetadata().getName() + ": " + message;
        if (isGood) {
            context.events().normal(ended, "BackupVerified", "Verify", message);
            cluster.ifPresent(one -> context.events().normal(one, "BackupVerified", "Verify", note));
        } else {
            context.events().warning(ended, "BackupNotVerified", "Verify", message);
            cluster.ifPresent(one -> context.events().warning(one, "BackupNotVerified", "Verify", note));
        }
        return ReconcileResult.awaitChange();
    }

    private static MySQLBackup told(MySQLBackup backup, VerificationStatus verification) {
        return backup.with(backup.told().toBuilder().verification(verification).build());
    }

    /** The one of its cluster that has to be over before this may begin: one that runs, else the first by its name. */
    private static Optional<MySQLBackup> ahead(MySQLBackup backup, ReconcileContext<MySQLBackup> context) {
        String key = Backups.cluster(backup).toString();
        return context.lister(MySQLBackup.class).by(Backups.BY_CLUSTER, key).stream()
                .filter(other -> isAsked(other) && !other.isMarkedForDeletion())
                .min(Comparator.comparing((MySQLBackup other) -> !isRunning(other))
                        .thenComparing(other -> other.getMetadata().getName()))
                .filter(first -> !first.getMetadata()
                        .getName()
                        .equals(backup.getMetadata().getName()));
    }

    private static boolean isRunning(MySQLBackup backup) {
        VerificationStatus told = backup.told().verification();
        return told != null && told.phase().equals(RUNNING);
    }

    /** The watch may be behind: what it does not show is asked for. */
    private static @Nullable Job job(MySQLBackup backup, ReconcileContext<MySQLBackup> context) {
        return BackupJobs.owned(BackupJobs.trialName(backup), backup, true, context)
                .orElse(null);
    }
}
