package io.busbar.operator.mysqlcluster.v1alpha1;

/**
 * What becomes of what an object stands for when it is deleted: the file of a MySQLBackup, passwords and volumes of a
 * MySQLCluster, a database, an account. Constants are written as in YAML. Immutable.
 */
public enum DeletionPolicy {
    Retain,
    Delete
}
