package io.busbar.operator.mysqlcluster.sql;

/**
 * The file system that a server keeps its data on.
 *
 * <p>Immutable.
 *
 * @param totalBytes 0 where the server tells no more than that a write has found no room
 */
public record Disk(long totalBytes, long availableBytes) {

    static final Disk WITHOUT_ROOM = new Disk(0, 0);
}
