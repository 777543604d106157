package io.busbar.operator.mysqlcluster.observe;

/** How the operator, and what it sets up, reach Pods. Immutable. */
public enum PodAddressing {
    /** By their names in a headless Service, which stay when a Pod is made anew. */
    DNS,
    /** By their addresses, for an operator outside the cluster that has a route to them. */
    POD_IP
}
