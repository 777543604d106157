package io.busbar.operator.mysqlcluster.v1alpha1;

/** How far a cluster is that takes over from a server outside. */
public enum ExternalPrimaryState {
    /** The first member is given its databases. */
    Copying,
    /** What is written there comes. */
    Following,
    /** Nothing comes at the moment; it is tried again. */
    Disconnected,
    /** The cluster has taken over, and follows it no more. */
    CutOver
}
