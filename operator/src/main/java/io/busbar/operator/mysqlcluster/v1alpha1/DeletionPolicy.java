package io.busbar.operator.mysqlcluster.v1alpha1;

/**
 * What becomes of a backup's file when the MySQLBackup is deleted, and of passwords and volumes when the MySQLCluster
 * is. Constants are written as in YAML. Immutable.
 */
public enum DeletionPolicy {
    Retain,
    Delete
}
