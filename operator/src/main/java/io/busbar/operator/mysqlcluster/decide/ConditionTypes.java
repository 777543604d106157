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
    public static final String SCALING_LIMITED = "ScalingLimited";
    public static final String SPLIT_BRAIN = "SplitBrain";
    public static final String MEMBER_DIVERGED = "MemberDiverged";

    private ConditionTypes() {}
}
