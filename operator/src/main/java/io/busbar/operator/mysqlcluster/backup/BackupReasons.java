package io.busbar.operator.mysqlcluster.backup;

import static io.busbar.common.condition.ConditionReason.ofFalse;
import static io.busbar.common.condition.ConditionReason.ofTrue;
import static io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus.COMPLETE;
import static io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus.FAILED;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;

/**
 * What the conditions of a backup may give as their reason: Complete and Failed give the same one, which is declared
 * for that of the two that it decides. Immutable.
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
    static final ConditionReason NO_STORAGE = ofTrue(
            FAILED,
            "NoStorage",
            "neither the backup nor its cluster says where the file goes, or what is said cannot be");
    static final ConditionReason STORAGE_IMAGE_UNKNOWN = ofTrue(
            FAILED,
            "StorageImageUnknown",
            "the backup goes to S3, and the operator does not know the image that writes it; see --storage-image");
    static final ConditionReason JOB_VANISHED =
            ofTrue(FAILED, "JobVanished", "its Job was deleted before it had ended: make another MySQLBackup");
    static final ConditionReason JOB_FAILED = ofTrue(
            FAILED, "JobFailed", "its Job has failed; the message has the Job's words: make another MySQLBackup");
    static final ConditionReason NO_REPORT = ofTrue(
            FAILED, "NoReport", "its Pod was gone before it could tell what it has made: make another MySQLBackup");

    static final ConditionReason VERIFIED = ofTrue(
            MySQLBackupStatus.VERIFIED,
            "Verified",
            "it was loaded into a server of its own, and a dump of that has all that it has");
    static final ConditionReason UNREADABLE = ofFalse(
            MySQLBackupStatus.VERIFIED, "Unreadable", "its file is gone, cannot be read, or is not what it was");
    static final ConditionReason NOT_LOADED = ofFalse(
            MySQLBackupStatus.VERIFIED, "NotLoaded", "a server of the cluster's image does not take what it holds");
    static final ConditionReason DIFFERENT = ofFalse(
            MySQLBackupStatus.VERIFIED,
            "Different",
            "a server that it was loaded into has something else; the message says what");
    static final ConditionReason NOT_VERIFIED = ofFalse(
            MySQLBackupStatus.VERIFIED,
            "NotVerified",
            "the Job could not do its work, twice, so nothing is known of the backup; the message says why");

    private BackupReasons() {}
}
