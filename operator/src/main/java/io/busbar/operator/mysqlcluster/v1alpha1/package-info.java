/**
 * The types of {@code database.example.com/v1alpha1}, as they are written in YAML.
 *
 * <pre>
 *   MySQLCluster ─┬─ spec     size, replication, failover, autoscaling, backup, updateStrategy …
 *                 └─ status   who is primary, how each member is, what is under way
 *   MySQLBackup       a copy of a cluster's data
 *   MySQLRestore      a copy that is to be put back
 *   MySQLDatabase     a database in it
 *   MySQLUser         an account on its servers
 *   MySQLGrant        what an account may do
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.v1alpha1;

import org.jspecify.annotations.NullMarked;
