package io.busbar.operator.mysqlcluster.objects;

import static io.busbar.common.MetadataKey.annotation;
import static io.busbar.common.MetadataKey.finalizer;
import static io.busbar.common.MetadataKey.label;

import io.busbar.common.MetadataKey;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;

/** The annotations, labels and finalizers of clusters and of what belongs to them. Immutable. */
public final class ClusterKeys {

    /** The revision whose canary is approved, as {@code status.updateRevision} has it. */
    public static final MetadataKey PROMOTE = annotation(
            MySQLCluster.GROUP + "/promote-revision",
            "a MySQLCluster",
            "set by you: the revision that may go on from the canaries to all members; the condition Progressing spells it out");

    /** With which its author wants to go on, although the primary was seen to have more. */
    public static final MetadataKey ACCEPTED_POSITION = annotation(
            MySQLCluster.GROUP + "/accept-position",
            "a MySQLCluster",
            "set by you: the position of a primary that has lost writes, to go on with what is left; the condition that asks for it spells it out");

    /** So that one that was set for this upgrade says nothing of the next. */
    public static final MetadataKey UPGRADE_WITHOUT_BACKUP = annotation(
            MySQLCluster.GROUP + "/upgrade-without-backup",
            "a MySQLCluster",
            "set by you: the series, such as \"9.7\", that its data may go on with although there is no backup of the last day");

    public static final MetadataKey RESTORING = annotation(
            MySQLCluster.GROUP + "/restoring",
            "a MySQLCluster",
            "set by the operator while data is replaced: the MySQLRestore; while it is there, nobody can write");

    /** One that is made again under the same name is another one. */
    public static final MetadataKey RESTORE_UID = annotation(
            MySQLCluster.GROUP + "/restore-uid",
            "a MySQLCluster, and Jobs of a MySQLRestore",
            "set by the operator: the uid of the MySQLRestore that data is replaced for, or that the Job works for");

    /** Where the primary is to go on counting. */
    public static final MetadataKey RESTORING_BEYOND = annotation(
            MySQLCluster.GROUP + "/restoring-beyond",
            "a MySQLCluster",
            "set by the operator while data is replaced: the positions that the primary must be beyond afterwards");

    /** A JSON array of names. */
    public static final MetadataKey DISABLED_EVENTS = annotation(
            MySQLCluster.GROUP + "/disabled-events",
            "a MySQLCluster",
            "set by the operator: events that are disabled at the primary; a replica cannot tell them from those that it must run once it is the primary");

    public static final MetadataKey CUT_OVER = annotation(
            MySQLCluster.GROUP + "/cut-over",
            "a MySQLCluster",
            "set by you: \"true\" has a cluster that follows a server outside take over from it, once that takes no writes and all that it has is here; \"force\" asks neither that it takes none nor that it answers");

    /** Before the first write: who sees it never follows the server outside again. In RFC 3339. */
    public static final MetadataKey CUT_OVER_AT = annotation(
            MySQLCluster.GROUP + "/cut-over-at",
            "a MySQLCluster",
            "set by the operator: when the cluster took over from the server outside; it does not follow that any more");

    public static final MetadataKey ROTATE_PASSWORDS = annotation(
            MySQLCluster.GROUP + "/rotate-passwords",
            "a MySQLCluster",
            "set by you: any new text, such as a time, has the operator change the passwords that it made up");

    /** As {@code RotationProgress.Stage} words it. */
    public static final MetadataKey ROTATION_STAGE = annotation(
            MySQLCluster.GROUP + "/rotation-stage",
            "the Secret with a MySQLCluster's passwords",
            "set by the operator while passwords are changed: how far that has come");

    public static final MetadataKey ANSWERED_ROTATION = annotation(
            MySQLCluster.GROUP + "/answered-rotation",
            "the Secret with a MySQLCluster's passwords",
            "set by the operator: what rotate-passwords was when passwords were last changed, or made up");

    /** In RFC 3339. */
    public static final MetadataKey PASSWORDS_SINCE = annotation(
            MySQLCluster.GROUP + "/passwords-since",
            "the Secret with a MySQLCluster's passwords",
            "set by the operator: since when the Secret has the passwords that it has");

    /** In RFC 3339. */
    public static final MetadataKey SCHEDULED_AT = annotation(
            MySQLCluster.GROUP + "/scheduled-at",
            "a MySQLBackup",
            "set by the operator on those that spec.backup.schedule made: the time that each was made for");

    public static final MetadataKey SOURCE = annotation(
            MySQLCluster.GROUP + "/source", "the Job of a MySQLBackup", "set by the operator: the Pod that is copied");

    public static final MetadataKey VERIFY = annotation(
            MySQLCluster.GROUP + "/verify",
            "a MySQLBackup, and the Job that this is done by",
            "set by you, or by the operator when spec.backup.verification says so: any new text, such as a time, has the backup loaded into a server of its own, to see whether it gives back what it holds");

    /** In JSON. What is mounted tells it of other storages. */
    public static final MetadataKey STORAGE = annotation(
            MySQLCluster.GROUP + "/storage",
            "the Job of a MySQLBackup",
            "set by the operator: spec.storage of a backup that goes to S3");

    /** So that another configuration is a change of the Pods. */
    public static final MetadataKey CONFIG_HASH = annotation(
            MySQLCluster.GROUP + "/config-hash",
            "a member's Pod",
            "set by the operator: a hash of the configuration that the server started with");

    public static final MetadataKey BACKUP_FILE = finalizer(
            MySQLCluster.GROUP + "/backup-file",
            "a MySQLBackup",
            "kept by the operator until the file is removed, where spec.deletionPolicy is Delete");

    public static final MetadataKey CONTENT = finalizer(
            MySQLCluster.GROUP + "/content",
            "a MySQLDatabase, a MySQLUser or a MySQLGrant",
            "kept by the operator until the servers have lost what they are to lose, or the cluster is gone");

    static final MetadataKey CLUSTER = label(
            ClusterNames.CLUSTER, "all objects of a MySQLCluster", "set by the operator: the name of the cluster");

    static final MetadataKey APP =
            label(ClusterNames.APP, "all objects of a MySQLCluster", "set by the operator: " + ClusterNames.APP_VALUE);

    static final MetadataKey ROLE = label(
            ClusterNames.ROLE,
            "a member's Pod",
            "set by the operator: primary or replica, which the Services select; absent on a member that is to get no traffic");

    static final MetadataKey JOB = label(
            ClusterNames.JOB, "Jobs of a MySQLCluster, and their Pods", "set by the operator: the name of the cluster");

    private ClusterKeys() {}
}
