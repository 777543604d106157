package io.busbar.operator.mysqlcluster.v1alpha1;

/** What becomes of a member that has writes that the primary never had. Constants are written as in YAML. Immutable. */
public enum DivergedMembers {
    /** It is given a copy of another member's data, in place of its own, once all of the copy is there. */
    Reclone,
    /** It is left as it is, and serves nobody. */
    Keep
}
