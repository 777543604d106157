package io.busbar.operator.mysqlcluster.v1alpha1;

/** Whether connections to the servers of a cluster are encrypted. Immutable. */
public enum TlsMode {
    /** The servers have no certificates of the operator's. */
    Disabled,
    /** Replicas, the operator and its Jobs use TLS, and programs may. */
    Preferred,
    /** Nobody gets in without. */
    Required
}
