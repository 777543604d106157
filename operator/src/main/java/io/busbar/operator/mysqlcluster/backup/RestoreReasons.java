package io.busbar.operator.mysqlcluster.backup;

import static io.busbar.common.condition.ConditionReason.ofFalse;
import static io.busbar.common.condition.ConditionReason.ofTrue;
import static io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus.COMPLETE;
import static io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus.FAILED;

import io.busbar.common.condition.ConditionReason;

/**
 * What the conditions of a restore may give as their reason: both give the same one, which is declared for that of the
 * two that it decides. Immutable.
 */
final class RestoreReasons {

    static final ConditionReason CLUSTER_MISSING = ofFalse(
            COMPLETE, "ClusterMissing", "there is no MySQLCluster of that name in the namespace; it is waited for");
    static final ConditionReason CLUSTER_PAUSED =
            ofFalse(COMPLETE, "ClusterPaused", "spec.paused of the cluster is true; its end is waited for");
    static final ConditionReason BACKUP_NOT_COMPLETE =
            ofFalse(COMPLETE, "BackupNotComplete", "the MySQLBackup is not complete yet; it is waited for");
    static final ConditionReason NO_PRIMARY =
            ofFalse(COMPLETE, "NoPrimary", "the cluster has no primary now; one is waited for");
    static final ConditionReason VERIFYING =
            ofFalse(COMPLETE, "Verifying", "a Job reads the file from beginning to end; nothing was changed yet");
    static final ConditionReason RUNNING = ofFalse(COMPLETE, "Running", "the data of the cluster is being replaced");
    static final ConditionReason DONE = ofTrue(COMPLETE, "Complete", "the primary has the data of the backup");

    static final ConditionReason NOT_REPLICATED =
            ofTrue(FAILED, "NotReplicated", "the cluster's spec.mode is Simple: nothing is restored into it");
    static final ConditionReason FOLLOWS_EXTERNAL_PRIMARY = ofTrue(
            FAILED,
            "FollowsExternalPrimary",
            "the cluster follows a server outside, and has not taken over yet: nothing is restored into it");
    static final ConditionReason SPEC_INVALID =
            ofTrue(FAILED, "SpecInvalid", "a field of the spec cannot be what it is; nothing was changed");
    static final ConditionReason BACKUP_MISSING = ofTrue(
            FAILED, "BackupMissing", "there is no MySQLBackup of that name in the namespace, or none of that time");
    static final ConditionReason OUT_OF_REACH = ofTrue(
            FAILED,
            "OutOfReach",
            "the archive of binary logs does not lead from the backup to where this is to go; nothing was changed");
    static final ConditionReason BACKUP_FAILED =
            ofTrue(FAILED, "BackupFailed", "the MySQLBackup has failed: name one that is Complete");
    static final ConditionReason FILE_UNKNOWN =
            ofTrue(FAILED, "FileUnknown", "the status of the MySQLBackup does not say storage, file and sha256");
    static final ConditionReason STORAGE_IMAGE_UNKNOWN = ofTrue(
            FAILED,
            "StorageImageUnknown",
            "the backup is in S3, and the operator does not know the image that reaches it; see --storage-image");
    static final ConditionReason PART_OF_THE_DATA = ofTrue(
            FAILED, "PartOfTheData", "the backup holds some databases only, and all that is there would be replaced");
    static final ConditionReason FILE_REFUSED =
            ofTrue(FAILED, "FileRefused", "the file is damaged or not readable; nothing was changed");
    static final ConditionReason LOAD_FAILED = ofTrue(
            FAILED, "LoadFailed", "the data is replaced in part, and nobody can write: make another MySQLRestore");

    private RestoreReasons() {}
}
