package io.busbar.operator.mysqlcluster.sql;

/**
 * How busy a server is.
 *
 * <p>Immutable.
 *
 * @param threadsRunning connections that are executing something
 * @param connections that are open
 * @param mostConnections that may be open
 * @param queries since it started
 * @param uptimeSeconds since then
 */
public record Load(long threadsRunning, long connections, long mostConnections, long queries, long uptimeSeconds) {}
