package io.busbar.operator.mysqlcluster.decide;

import static io.busbar.common.condition.ConditionReason.ofFalse;
import static io.busbar.common.condition.ConditionReason.ofTrue;
import static io.busbar.operator.mysqlcluster.decide.ConditionTypes.ARCHIVED;
import static io.busbar.operator.mysqlcluster.decide.ConditionTypes.AVAILABLE;
import static io.busbar.operator.mysqlcluster.decide.ConditionTypes.BACKUP_HEALTHY;
import static io.busbar.operator.mysqlcluster.decide.ConditionTypes.CERTIFICATE_READY;
import static io.busbar.operator.mysqlcluster.decide.ConditionTypes.DEGRADED;
import static io.busbar.operator.mysqlcluster.decide.ConditionTypes.FAILOVER_IN_PROGRESS;
import static io.busbar.operator.mysqlcluster.decide.ConditionTypes.MEMBER_DIVERGED;
import static io.busbar.operator.mysqlcluster.decide.ConditionTypes.MIGRATING;
import static io.busbar.operator.mysqlcluster.decide.ConditionTypes.PASSWORDS_ROTATED;
import static io.busbar.operator.mysqlcluster.decide.ConditionTypes.PRIMARY_READY;
import static io.busbar.operator.mysqlcluster.decide.ConditionTypes.PROGRESSING;
import static io.busbar.operator.mysqlcluster.decide.ConditionTypes.REPLICATION_HEALTHY;
import static io.busbar.operator.mysqlcluster.decide.ConditionTypes.SCALING_LIMITED;
import static io.busbar.operator.mysqlcluster.decide.ConditionTypes.SPLIT_BRAIN;

import io.busbar.common.condition.ConditionReason;
import io.busbar.reconciler.ObjectNotOwnedException;

/** What the conditions of a cluster may give as their reason. Immutable. */
public final class ClusterReasons {

    public static final ConditionReason PRIMARY_SERVES = ofTrue(AVAILABLE, "PrimaryServes", "the primary takes writes");
    public static final ConditionReason NOT_AVAILABLE =
            ofFalse(AVAILABLE, "NoPrimary", "there is no primary that takes writes");

    public static final ConditionReason WRITES_WAIT = ofFalse(
            AVAILABLE,
            "WritesWait",
            "the primary is writable, but with spec.replication.semiSync each write waits, as too few replicas"
                    + " acknowledge it");

    public static final ConditionReason BOOTSTRAPPING =
            ofTrue(PROGRESSING, "Bootstrapping", "the first primary is being chosen and filled");
    public static final ConditionReason SCALING =
            ofTrue(PROGRESSING, "Scaling", "members are being added or taken away");
    public static final ConditionReason UPDATING =
            ofTrue(PROGRESSING, "Updating", "a change of the Pods goes from member to member");
    public static final ConditionReason MEMBER_DRAINING =
            ofTrue(PROGRESSING, "MemberDraining", "a member applies what it has received before it is restarted");
    public static final ConditionReason CANARY_PAUSED = ofTrue(
            PROGRESSING, "CanaryPaused", "the change waits to be promoted; the message has the annotation to set");
    public static final ConditionReason SWITCHING_OVER =
            ofTrue(PROGRESSING, "SwitchingOver", "another member becomes the primary, as planned");
    public static final ConditionReason FAILING_OVER =
            ofTrue(PROGRESSING, "FailingOver", "another member becomes the primary, as the primary is away");
    public static final ConditionReason CLONING =
            ofTrue(PROGRESSING, "Cloning", "a member is given a copy of another member's data");
    public static final ConditionReason RESTORING =
            ofTrue(PROGRESSING, "Restoring", "a MySQLRestore replaces the data; nobody can write");
    public static final ConditionReason RESTORE_STOPPED =
            ofTrue(PROGRESSING, "RestoreFailed", "a MySQLRestore has failed half way; nobody can write");
    public static final ConditionReason WRITES_HELD = ofTrue(
            PROGRESSING,
            "WritesHeld",
            "the primary takes no writes until its disk has room, by spec.storage.readOnlyBelowPercent");
    public static final ConditionReason VOLUMES_GROWING = ofTrue(
            PROGRESSING, "VolumesGrowing", "volumes are growing to spec.storage.size; the message has their words");
    public static final ConditionReason MISSING_MEMBERS =
            ofTrue(PROGRESSING, "WaitingForMembers", "fewer or more members serve than are asked for");
    public static final ConditionReason SETTLED = ofFalse(PROGRESSING, "AsExpected", "all members serve");
    public static final ConditionReason PAUSED =
            ofFalse(PROGRESSING, "Paused", "spec.paused is true: the cluster is left alone");

    public static final ConditionReason AS_EXPECTED = ofFalse(DEGRADED, "AsExpected", "nothing needs attention");
    public static final ConditionReason MISSING_PASSWORD =
            ofTrue(DEGRADED, "MissingPassword", "the Secret of spec.rootSecretRef or its key is not there");
    public static final ConditionReason MISSING_APPLICATION_ACCOUNT = ofTrue(
            DEGRADED,
            "MissingApplicationAccount",
            "the Secret of spec.auth.applicationSecretRef is not there, or does not say what programs log in with");
    public static final ConditionReason APPLICATION_ACCOUNT_FAILED = ofTrue(
            DEGRADED,
            "ApplicationAccountFailed",
            "a server refuses the account of programs or their database; the message has its words");
    public static final ConditionReason EXPORTER_ACCOUNT_FAILED = ofTrue(
            DEGRADED,
            "ExporterAccountFailed",
            "a server refuses the account of the exporter, or does not let go of it; the message has its words");
    public static final ConditionReason NOT_OWNED = ofTrue(
            DEGRADED, ObjectNotOwnedException.REASON, "an object of the same name is there and is somebody else's");
    public static final ConditionReason ACCESS_DENIED =
            ofTrue(DEGRADED, "AccessDenied", "a server does not know the operator's password, or that of root");
    public static final ConditionReason BOOTSTRAP_FAILED = ofTrue(
            DEGRADED,
            "BootstrapFailed",
            "the first member cannot be made writable, or no member has the data that the cluster had");
    public static final ConditionReason INCOMPARABLE_DATA = ofTrue(
            DEGRADED,
            "IncomparableData",
            "the status names no primary, and no member has all data; the message names what only each has");
    public static final ConditionReason PRIMARY_UNKNOWN = ofTrue(
            DEGRADED,
            "PrimaryUnknown",
            "the status was lost, and several members take writes; the message says how to tell who is the primary");
    public static final ConditionReason BACKUP_MISSING = ofTrue(
            DEGRADED, "BackupMissing", "spec.bootstrapFrom names a backup that is not there, or cannot be found");
    public static final ConditionReason BACKUP_FAILED =
            ofTrue(DEGRADED, "BackupFailed", "spec.bootstrapFrom names a MySQLBackup that has failed");
    public static final ConditionReason BACKUP_NOT_COMPLETE =
            ofTrue(DEGRADED, "BackupNotComplete", "spec.bootstrapFrom names a MySQLBackup that is not complete yet");
    public static final ConditionReason FILE_UNKNOWN =
            ofTrue(DEGRADED, "FileUnknown", "the MySQLBackup of spec.bootstrapFrom does not say where its file is");
    public static final ConditionReason VOLUMES_HAVE_DATA = ofTrue(
            DEGRADED,
            "VolumesHaveData",
            "spec.bootstrapFrom asks for other data than the volumes have; the message says what to do");
    public static final ConditionReason EXTERNAL_PRIMARY_REFUSED = ofTrue(
            DEGRADED,
            "ExternalPrimaryRefused",
            "spec.bootstrapFrom.externalPrimary names a server that cannot be copied or followed; the message says"
                    + " why");
    public static final ConditionReason RESTORE_FAILED =
            ofTrue(DEGRADED, "RestoreFailed", "data could not be put back; the message says whether it is tried again");
    public static final ConditionReason NO_FAILOVER_CANDIDATE = ofTrue(
            DEGRADED,
            "NoFailoverCandidate",
            "the primary is away and nobody may take over; the message says what keeps each member from it");
    public static final ConditionReason FAILOVER_DISABLED =
            ofTrue(DEGRADED, "FailoverDisabled", "the primary is away, and spec.failover.enabled is false");
    public static final ConditionReason WRITABLE_BESIDE_PRIMARY =
            ofTrue(DEGRADED, "SplitBrain", "a second writable member cannot be made read-only");
    public static final ConditionReason COPY_FAILED =
            ofTrue(DEGRADED, "CloneFailed", "a member could not be given a copy of another's data; it is tried again");
    public static final ConditionReason ROLLOUT_STALLED = ofTrue(
            DEGRADED, "RolloutStalled", "a member is not well with the new revision: change the spec back, or mend it");
    public static final ConditionReason DISK_FULL =
            ofTrue(DEGRADED, "DiskFull", "a member's disk is full: enlarge its volume");
    public static final ConditionReason VOLUME_NOT_GROWN = ofTrue(
            DEGRADED,
            "VolumeNotGrown",
            "a volume cannot grow to spec.storage.size, as where its class does not allow that; the message says why");
    public static final ConditionReason STORAGE_IMAGE_UNKNOWN = ofTrue(
            DEGRADED,
            "StorageImageUnknown",
            "spec.bootstrapFrom: the backup is in S3, and the operator does not know the image that reaches it");
    public static final ConditionReason REPLICA_STOPPED =
            ofTrue(DEGRADED, "ReplicaStopped", "a replica cannot go on by itself; the message has the server's words");

    public static final ConditionReason WRITABLE = ofTrue(PRIMARY_READY, "Writable", "the primary takes writes");
    public static final ConditionReason NO_PRIMARY =
            ofFalse(PRIMARY_READY, "NoPrimary", "there is no primary that takes writes");
    public static final ConditionReason FIRST_MEMBER_MISSING =
            ofFalse(PRIMARY_READY, "WaitingForMembers", "no member is reached that could be the first primary");
    public static final ConditionReason NOT_WRITABLE =
            ofFalse(PRIMARY_READY, "NotWritable", "the primary refuses to be made writable");
    public static final ConditionReason PRIMARY_LACKS_DATA = ofFalse(
            PRIMARY_READY,
            "PrimaryLacksData",
            "the primary has lost writes that it was seen to have, and is not opened; the message says what helps");
    public static final ConditionReason DISK_NEARLY_FULL = ofFalse(
            PRIMARY_READY,
            "DiskNearlyFull",
            "the primary takes no writes, as less of its disk is free than spec.storage.readOnlyBelowPercent");
    public static final ConditionReason PRIMARY_AWAY =
            ofFalse(PRIMARY_READY, "PrimaryAway", "the primary does not answer");
    public static final ConditionReason PRIMARY_RESTORING =
            ofFalse(PRIMARY_READY, "Restoring", "the data of the primary is being replaced");

    public static final ConditionReason PRIMARY_FOLLOWS = ofFalse(
            PRIMARY_READY,
            "FollowsExternalPrimary",
            "the cluster follows a server outside, and takes no writes until it is told to take over");

    public static final ConditionReason EXTERNAL_PRIMARY_COPIED =
            ofTrue(MIGRATING, "Copying", "the first member is given what the server outside has");
    public static final ConditionReason EXTERNAL_PRIMARY_FOLLOWED = ofTrue(
            MIGRATING,
            "Following",
            "what is written to the server outside comes here; the message has the annotation that ends that");
    public static final ConditionReason EXTERNAL_PRIMARY_AWAY = ofTrue(
            MIGRATING,
            "Disconnected",
            "nothing comes from the server outside; it is tried again, and the message has the server's words");
    public static final ConditionReason CUT_OVER_WAITS = ofTrue(
            MIGRATING,
            "CutOverWaits",
            "the cluster is told to take over, and does not yet; the message says what it waits for");
    public static final ConditionReason CUT_OVER =
            ofFalse(MIGRATING, "CutOver", "the cluster has taken over from the server outside");

    public static final ConditionReason ALL_FOLLOW =
            ofTrue(REPLICATION_HEALTHY, "AllFollow", "all members serve and keep up with the primary");
    public static final ConditionReason SOME_DO_NOT_FOLLOW =
            ofFalse(REPLICATION_HEALTHY, "WaitingForMembers", "some members do not keep up with the primary");
    public static final ConditionReason MEMBER_UNREACHABLE =
            ofFalse(REPLICATION_HEALTHY, "MemberUnreachable", "a member does not answer");
    public static final ConditionReason MEMBER_CLONING =
            ofFalse(REPLICATION_HEALTHY, "Cloning", "a member is given a copy of another member's data");
    public static final ConditionReason CLONE_FAILED =
            ofFalse(REPLICATION_HEALTHY, "CloneFailed", "a step of giving a copy failed; it is tried again");

    public static final ConditionReason FAILOVER =
            ofTrue(FAILOVER_IN_PROGRESS, "PrimaryAway", "the message says from whom and to whom");
    public static final ConditionReason NO_FAILOVER =
            ofFalse(FAILOVER_IN_PROGRESS, "Settled", "the primary stays as it is");

    public static final ConditionReason LAST_BACKUP_COMPLETE =
            ofTrue(BACKUP_HEALTHY, "Complete", "the last MySQLBackup that has ended is complete");
    public static final ConditionReason LAST_BACKUP_FAILED =
            ofFalse(BACKUP_HEALTHY, "Failed", "the last MySQLBackup that has ended has failed");
    public static final ConditionReason LAST_VERIFICATION_FAILED = ofFalse(
            BACKUP_HEALTHY,
            "NotVerified",
            "the MySQLBackup that was verified last did not give back what it holds, or could not be verified");

    public static final ConditionReason ARCHIVE_WHOLE =
            ofTrue(ARCHIVED, "Archived", "binary logs are archived; the message says from when on nothing is missing");
    public static final ConditionReason ARCHIVE_GAP = ofFalse(
            ARCHIVED, "Gap", "binary logs were gone before they were archived, and no whole backup is complete since");
    public static final ConditionReason ARCHIVE_FORK = ofFalse(
            ARCHIVED,
            "Fork",
            "writes are archived that the primary lacks, such as those that a failover or a restore took away, and no"
                    + " whole backup is complete since");
    public static final ConditionReason ARCHIVE_FAILING =
            ofFalse(ARCHIVED, "Failing", "the last Job that archives binary logs has failed; it is tried again");

    public static final ConditionReason SIZE_AS_WANTED =
            ofFalse(SCALING_LIMITED, "AsWanted", "the size is what is wanted");
    public static final ConditionReason PRIMARY_CANNOT_MOVE =
            ofTrue(SCALING_LIMITED, "PrimaryCannotMove", "the primary is among those to go, and nobody can take over");
    public static final ConditionReason REPLICAS_AWAY =
            ofTrue(SCALING_LIMITED, "ReplicasAway", "no replica that is to stay follows the primary");
    public static final ConditionReason SEMI_SYNC_NEEDS_A_REPLICA =
            ofTrue(SCALING_LIMITED, "SemiSyncNeedsAReplica", "spec.replication.semiSync needs at least 2 members");
    public static final ConditionReason TOO_MANY_REPLICAS =
            ofTrue(SCALING_LIMITED, "TooManyReplicas", "the load calls for more members than spec.autoscaling allows");
    public static final ConditionReason TOO_FEW_REPLICAS =
            ofTrue(SCALING_LIMITED, "TooFewReplicas", "the load calls for fewer members than spec.autoscaling allows");

    public static final ConditionReason TWO_WRITABLE =
            ofTrue(SPLIT_BRAIN, "TwoWritable", "a member was writable beside the primary");
    public static final ConditionReason ONE_WRITABLE =
            ofFalse(SPLIT_BRAIN, "OneWritable", "no two members are writable");

    public static final ConditionReason HISTORY_DIFFERS = ofTrue(
            MEMBER_DIVERGED,
            "HistoryDiffers",
            "a member has writes that the primary never had; the message says whether it is given a copy");
    public static final ConditionReason PRIMARY_LACKS_WRITES = ofTrue(
            MEMBER_DIVERGED,
            "PrimaryLacksWrites",
            "a member has writes of the primary that the primary itself has lost; it is kept as it is");
    public static final ConditionReason ONE_HISTORY =
            ofFalse(MEMBER_DIVERGED, "OneHistory", "no member has a history of its own");

    public static final ConditionReason PASSWORDS_IN_PLACE = ofTrue(
            PASSWORDS_ROTATED, "InPlace", "the servers let in with the passwords in the Secret, and with no others");
    public static final ConditionReason PASSWORDS_ROTATING = ofFalse(
            PASSWORDS_ROTATED, "Rotating", "the passwords are being changed; the message says what is waited for");
    public static final ConditionReason OLD_PASSWORDS_LET_IN = ofFalse(
            PASSWORDS_ROTATED,
            "OldPasswordsLetIn",
            "the Secret has new passwords; those before let in until spec.auth.rotation.passwordRetentionSeconds are"
                    + " over");

    public static final ConditionReason CERTIFICATE_SERVED = ofTrue(
            CERTIFICATE_READY, "Served", "all members show a certificate; the message says until when it is good");
    public static final ConditionReason CERTIFICATE_RENEWED =
            ofTrue(CERTIFICATE_READY, "Renewing", "there is a newer certificate, and some members do not show it yet");
    public static final ConditionReason CERTIFICATES_MISSING =
            ofFalse(CERTIFICATE_READY, "WaitingForMembers", "some members have no certificate yet, and are to get one");
    public static final ConditionReason CERTIFICATE_AWAITED = ofFalse(
            CERTIFICATE_READY, "WaitingForIssuer", "cert-manager has not issued the certificate yet, or cannot");
    public static final ConditionReason CERT_MANAGER_MISSING = ofFalse(
            CERTIFICATE_READY, "CertManagerMissing", "spec.tls.issuerRef is set, and the cluster has no cert-manager");
    public static final ConditionReason CERTIFICATE_UNUSABLE = ofFalse(
            CERTIFICATE_READY, "Unusable", "the Secret of the certificate is somebody else's, or cannot be read");
    public static final ConditionReason NOT_ENCRYPTED =
            ofFalse(CERTIFICATE_READY, "Disabled", "spec.tls.mode is Disabled: members have no certificates");
    public static final ConditionReason ENCRYPTION_FAILED =
            ofTrue(DEGRADED, "EncryptionFailed", "a server refuses what TLS needs of it; the message has its words");

    private ClusterReasons() {}
}
