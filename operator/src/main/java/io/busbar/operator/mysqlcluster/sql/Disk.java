package io.busbar.operator.mysqlcluster.sql;

/**
 * The file system that a server keeps its data on.
 *
 * <p>Immutable.
 */
public record Disk(long totalBytes, long availableBytes) {}
