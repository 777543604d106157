package io.busbar.operator.mysqlcluster.backup;

import io.busbar.admission.FieldProblem;
import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Objects;
import java.util.Optional;

/**
 * Whether a restore may begin: while the cluster goes on, a Job reads the file from its beginning to its end, and the
 * binary logs that are to follow on it. Pure; for one decision.
 */
final class Verification {

    private final Observation seen;
    private final Draft draft;
    private final MySQLRestore restore;

    /** The same, with the backup that was found. */
    private MySQLRestore named;

    Verification(Observation seen, Draft draft, MySQLRestore restore) {
        this.seen = seen;
        this.draft = draft;
        this.restore = restore;
        this.named = restore;
    }

    /** Which one it is that may be restored. */
    String backup() {
        return Objects.requireNonNull(named.told().backupName());
    }

    static String name(MySQLRestore restore) {
        return JobNames.of(restore.getMetadata().getName(), "verify");
    }

    /** Brings that about where it is not so. */
    boolean isPassed() {
        FieldProblem problem = RestoreRules.problems(restore.getSpec(), seen.now()).stream()
                .findFirst()
                .orElse(null);
        if (problem != null) {
            return refused(RestoreReasons.SPEC_INVALID, problem + "; make another MySQLRestore");
        }
        if (restore.getSpec().backupName() == null
                && seen.primary().filter(Member::reachable).isEmpty()) {
            return pending(RestoreReasons.NO_PRIMARY, "waiting for the primary of the cluster");
        }
        Until until = Restores.until(restore);
        String name = Restores.backup(seen, restore).orElse(null);
        if (name == null) {
            return refused(
                    RestoreReasons.BACKUP_MISSING,
                    "there is no complete MySQLBackup in S3 of all databases of MySQLCluster " + seen.name()
                            + " from before " + until.text() + ": make spec.backupName one that is, of any cluster");
        }
        named = RestoreProgress.of(restore, name);
        StoredBackup.Refusal refusal =
                StoredBackup.refusal(name, seen.catalog(), restore).orElse(null);
        if (refusal != null) {
            return refusal.isFinal()
                    ? refused(refusal.ofRestore(), refusal.message())
                    : pending(refusal.ofRestore(), refusal.message());
        }
        StoredBackup stored = StoredBackup.of(name, seen.catalog());
        if (!stored.whole()) {
            return refused(
                    RestoreReasons.PART_OF_THE_DATA,
                    "MySQLBackup " + stored.name() + " holds some databases only, and all that the cluster has would be"
                            + " replaced: make a cluster with bootstrapFrom.backupName, and copy from there");
        }
        if (until.isBeyond() && stored.storage().s3() == null) {
            return refused(
                    RestoreReasons.OUT_OF_REACH,
                    "MySQLBackup " + stored.name() + " is not in S3, and binary logs are archived beside backups in S3"
                            + " alone: name one that is");
        }
        if (seen.primary().filter(Member::reachable).isEmpty()
                || seen.progress().failover().underWay()) {
            return pending(RestoreReasons.NO_PRIMARY, "waiting for the primary of the cluster");
        }
        String reading = "the file of " + stored.name()
                + (until.isBeyond() ? " and the binary logs up to " + until.text() + " are" : " is") + " being read";
        Optional<Job> job = seen.job(name(restore)).filter(one -> !one.isMarkedForDeletion());
        if (job.isEmpty()) {
            Job reader = BackupJobs.verify(seen.cluster(), name(restore), stored, until);
            draft.act(new Action.StartJob(Mark.on(reader, restore)));
            return pending(RestoreReasons.VERIFYING, reading);
        }
        if (!Mark.isOf(restore, job.get())) {
            draft.act(new Action.DeleteJob(job.get()));
            return pending(RestoreReasons.VERIFYING, reading);
        }
        JobReport report = seen.report(job.get());
        return switch (report.state()) {
            case RUNNING -> pending(RestoreReasons.VERIFYING, reading);
            case SUCCEEDED -> true;
            case FAILED ->
                report.text("outOfReach").isEmpty()
                        ? refused(
                                RestoreReasons.FILE_REFUSED,
                                report.text("message") + "; nothing was changed: restore another backup")
                        : refused(RestoreReasons.OUT_OF_REACH, report.text("message") + "; nothing was changed");
        };
    }

    private boolean refused(ConditionReason reason, String message) {
        Restores.fail(seen, draft, restore, named, reason, message);
        return false;
    }

    private boolean pending(ConditionReason reason, String message) {
        Restores.tell(draft, restore, RestoreProgress.pending(named, reason, message, seen.now()));
        return false;
    }
}
