package io.busbar.operator.mysqlcluster.backup;

import static io.busbar.common.condition.ConditionReason.ofFalse;
import static io.busbar.common.condition.ConditionReason.ofTrue;
import static io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus.COMPLETE;
import static io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus.FAILED;

import io.busbar.common.condition.ConditionReason;

/**
 * What the conditions of a backup may give as their reason: both give the same one, which is declared for that of the
 * two that it decides. Immutable.
 */
final class BackupReasons {

    static final ConditionReason CLUSTER_MISSING = ofFalse(
            COMPLETE, "ClusterMissing", "there is no MySQLCluster of that name in the namespace; it is waited for");
    static final ConditionReason ANOTHER_RUNS = ofFalse(
            COMPLETE, "AnotherRuns", "another MySQLBackup of the cluster is not finished; it waits for its turn");
    static final ConditionReason NO_SOURCE =
            ofFalse(COMPLETE, "NoSource", "no member of the cluster serves; one is waited for");
    static final ConditionReason RUNNING = ofFalse(COMPLETE, "Running", "its Job copies a member");
    static final ConditionReason DONE = ofTrue(COMPLETE, "Complete", "the file is there; status.file names it");

    static final ConditionReason NOT_REPLICATED =
            ofTrue(FAILED, "NotReplicated", "the cluster's spec.mode is Simple: it is not backed up");
    static final ConditionReason NO_STORAGE =
            ofTrue(FAILED, "NoStorage", "neither the backup nor its cluster says where the file goes");
    static final ConditionReason JOB_VANISHED =
            ofTrue(FAILED, "JobVanished", "its Job was deleted before it had ended: make another MySQLBackup");
    static final ConditionReason JOB_FAILED = ofTrue(
            FAILED, "JobFailed", "its Job has failed; the message has the Job's words: make another MySQLBackup");
    static final ConditionReason NO_REPORT = ofTrue(
            FAILED, "NoReport", "its Pod was gone before it could tell what it has made: make another MySQLBackup");

    private BackupReasons() {}
}
