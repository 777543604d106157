package io.busbar.operator.mysqlcluster.decide;

/** The types of a cluster's conditions. */
public final class ConditionTypes {

    /** Whether it can be written to and is complete enough to survive the loss of a member. */
    public static final String AVAILABLE = "Available";

    public static final String PROGRESSING = "Progressing";

    /** Whether somebody must look. */
    public static final String DEGRADED = "Degraded";

    public static final String PRIMARY_READY = "PrimaryReady";
    public static final String REPLICATION_HEALTHY = "ReplicationHealthy";
    public static final String FAILOVER_IN_PROGRESS = "FailoverInProgress";
    public static final String BACKUP_HEALTHY = "BackupHealthy";

    /** Whether a whole backup can be rolled forward with what is archived of binary logs. */
    public static final String ARCHIVED = "Archived";

    public static final String SCALING_LIMITED = "ScalingLimited";
    public static final String SPLIT_BRAIN = "SplitBrain";
    public static final String MEMBER_DIVERGED = "MemberDiverged";

    /** Whether servers let in with the passwords in the Secret alone. */
    public static final String PASSWORDS_ROTATED = "PasswordsRotated";

    /** Whether all members show a certificate that is good. */
    public static final String CERTIFICATE_READY = "CertificateReady";

    /** Whether it follows a server outside until it is told to take over. */
    public static final String MIGRATING = "Migrating";

    private ConditionTypes() {}
}
