package io.busbar.operator.mysqlcluster.v1alpha1;

/** How far an unplanned or planned change of the primary has come. Constants are written as in YAML. Immutable. */
public enum FailoverPhase {
    /** The old primary is kept from being written to. */
    Fencing,
    /** The replicas apply what they have received, and the most advanced is found. */
    Electing,
    /** The chosen one becomes writable. */
    Promoting,
    /** The others follow it. */
    Repointing,
    /** A planned change: writes are held up until the next primary has all. */
    Switching,
    Completed,
    /** Nobody could be promoted. */
    Failed
}
