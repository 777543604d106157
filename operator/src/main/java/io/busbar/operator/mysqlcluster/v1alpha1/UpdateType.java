package io.busbar.operator.mysqlcluster.v1alpha1;

/** In which order members follow a change of what they run. Constants are written as in YAML. Immutable. */
public enum UpdateType {
    /** Replicas from the highest ordinal down; then another becomes the primary; the old one is the last. */
    ReplicasFirstPrimaryLast,
    /** From the highest ordinal down; the primary, in its turn, hands over first. */
    RollingUpdate,
    /** As somebody deletes their Pods. */
    OnDelete
}
