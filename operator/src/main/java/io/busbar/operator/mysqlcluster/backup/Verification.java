package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.ObjectKey;
import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Optional;

/** Whether a restore may begin: while the cluster goes on, a Job reads the file from its beginning to its end. For the thread of one reconcile. */
final class Verification {

    private final Turn turn;
    private final MySQLRestore restore;

    Verification(Turn turn, MySQLRestore restore) {
        this.turn = turn;
        this.restore = restore;
    }

    static String name(MySQLRestore restore) {
        return JobNames.of(restore.getMetadata().getName(), "verify");
    }

    /** Brings that about, a step at each call. */
    boolean isPassed() {
        Optional<MySQLBackup> backup = turn.context()
                .lister(MySQLBackup.class)
                .get(ObjectKey.of(
                        turn.context().key().namespace(), restore.getSpec().backupName()));
        Optional<StoredBackup.Refusal> refusal =
                StoredBackup.refusal(restore.getSpec().backupName(), backup);
        if (refusal.isPresent()) {
            return refusal.get().isFinal()
                    ? refused(refusal.get().ofRestore(), refusal.get().message())
                    : pending(refusal.get().ofRestore(), refusal.get().message());
        }
        StoredBackup stored = StoredBackup.of(backup.orElseThrow());
        if (!stored.whole()) {
            return refused(
                    RestoreReasons.PART_OF_THE_DATA,
                    "MySQLBackup " + stored.name() + " holds some databases only, and all that the cluster has would be"
                            + " replaced: make a cluster with bootstrapFrom.backupName, and copy from there");
        }
        if (turn.primary().filter(primary -> primary.reachable()).isEmpty()
                || turn.draft().failover().underWay()) {
            return pending(RestoreReasons.NO_PRIMARY, "waiting for the primary of the cluster");
        }
        Optional<Job> job = job();
        if (job.isEmpty()) {
            turn.context().create(BackupJobs.verify(turn.cluster(), name(restore), stored));
            return pending(RestoreReasons.VERIFYING, "the file of " + stored.name() + " is being read");
        }
        JobReport report = JobReport.of(job.get(), turn.context().client());
        return switch (report.state()) {
            case RUNNING -> pending(RestoreReasons.VERIFYING, "the file of " + stored.name() + " is being read");
            case SUCCEEDED -> true;
            case FAILED ->
                refused(
                        RestoreReasons.FILE_REFUSED,
                        report.text("message") + "; nothing was changed: restore another backup");
        };
    }

    /** Its Job is of no use any more. */
    void forget() {
        job().ifPresent(job -> ClusterJobs.delete(job, turn.context()));
    }

    private boolean refused(ConditionReason reason, String message) {
        Restores.tell(turn, restore, RestoreProgress.failed(restore, reason, message, turn.now()));
        turn.warn("RestoreFailed", "Restore", restore.getMetadata().getName() + ": " + message);
        turn.context().events().warning(restore, "RestoreFailed", "Restore", message);
        return false;
    }

    private boolean pending(ConditionReason reason, String message) {
        Restores.tell(turn, restore, RestoreProgress.pending(restore, reason, message, turn.now()));
        return false;
    }

    private Optional<Job> job() {
        return turn.context().owned(Job.class).stream()
                .filter(job -> job.getMetadata().getName().equals(name(restore)) && !job.isMarkedForDeletion())
                .findFirst();
    }
}
