package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Optional;

/**
 * Whether a restore may begin: while the cluster goes on, a Job reads the file from its beginning to its end. Pure; for
 * one decision.
 */
final class Verification {

    private final Observation seen;
    private final Draft draft;
    private final MySQLRestore restore;

    Verification(Observation seen, Draft draft, MySQLRestore restore) {
        this.seen = seen;
        this.draft = draft;
        this.restore = restore;
    }

    static String name(MySQLRestore restore) {
        return JobNames.of(restore.getMetadata().getName(), "verify");
    }

    /** Brings that about where it is not so. */
    boolean isPassed() {
        String name = restore.getSpec().backupName();
        StoredBackup.Refusal refusal =
                StoredBackup.refusal(name, seen.catalog().source(name)).orElse(null);
        if (refusal != null) {
            return refusal.isFinal()
                    ? refused(refusal.ofRestore(), refusal.message())
                    : pending(refusal.ofRestore(), refusal.message());
        }
        StoredBackup stored = StoredBackup.of(seen.catalog().source(name).orElseThrow());
        if (!stored.whole()) {
            return refused(
                    RestoreReasons.PART_OF_THE_DATA,
                    "MySQLBackup " + stored.name() + " holds some databases only, and all that the cluster has would be"
                            + " replaced: make a cluster with bootstrapFrom.backupName, and copy from there");
        }
        if (seen.primary().filter(Member::reachable).isEmpty()
                || seen.progress().failover().underWay()) {
            return pending(RestoreReasons.NO_PRIMARY, "waiting for the primary of the cluster");
        }
        String reading = "the file of " + stored.name() + " is being read";
        Optional<Job> job = seen.job(name(restore)).filter(one -> !one.isMarkedForDeletion());
        if (job.isEmpty()) {
            draft.act(new Action.StartJob(BackupJobs.verify(seen.cluster(), name(restore), stored)));
            return pending(RestoreReasons.VERIFYING, reading);
        }
        JobReport report = seen.report(job.get());
        return switch (report.state()) {
            case RUNNING -> pending(RestoreReasons.VERIFYING, reading);
            case SUCCEEDED -> true;
            case FAILED ->
                refused(
                        RestoreReasons.FILE_REFUSED,
                        report.text("message") + "; nothing was changed: restore another backup");
        };
    }

    private boolean refused(ConditionReason reason, String message) {
        Restores.fail(seen, draft, restore, reason, message);
        return false;
    }

    private boolean pending(ConditionReason reason, String message) {
        Restores.tell(draft, restore, RestoreProgress.pending(restore, reason, message, seen.now()));
        return false;
    }
}
