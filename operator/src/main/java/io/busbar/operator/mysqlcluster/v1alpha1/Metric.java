package io.busbar.operator.mysqlcluster.v1alpha1;

/** What autoscaling looks at, of each member. Constants are written as in YAML. Immutable. */
public enum Metric {
    ThreadsRunning,
    Connections,
    QueriesPerSecond
}
