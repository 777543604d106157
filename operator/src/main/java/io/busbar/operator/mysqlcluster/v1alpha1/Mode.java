package io.busbar.operator.mysqlcluster.v1alpha1;

/** How the servers of a cluster belong together. Constants are written as in YAML. Immutable. */
public enum Mode {
    /** One is written to, the others follow it. */
    Replicated,
    /** Each is on its own. */
    Simple
}
