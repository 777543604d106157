package io.busbar.operator.mysqlcluster.sql;

/**
 * Those that a cluster cannot do without.
 *
 * <p>Immutable.
 *
 * @param root as the image makes it
 * @param operator for the operator: with all privileges, so that read-only servers obey it
 * @param replication for replicas at their source: may do nothing else
 */
public record Accounts(Account root, Account operator, Account replication) {}
