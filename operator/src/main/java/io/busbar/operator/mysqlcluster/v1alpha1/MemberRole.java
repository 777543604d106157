package io.busbar.operator.mysqlcluster.v1alpha1;

/** What a member is. Constants are written as in YAML. Immutable. */
public enum MemberRole {
    Primary,
    Replica,
    /** It follows nobody yet, or not for now. */
    Joining,
    /** It has transactions that the primary does not have. */
    Diverged,
    Unreachable
}
