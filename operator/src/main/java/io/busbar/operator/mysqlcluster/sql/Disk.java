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

    private static final long MEBIBYTE = 1024L * 1024;

    /** Whether less than so much of it is free. */
    public boolean hasLessThan(double percent) {
        return availableBytes * 100.0 < totalBytes * percent || totalBytes == 0;
    }

    /** How much is free, for people. */
    public String words() {
        return totalBytes == 0
                ? "a write has found no room, by its error log"
                : availableBytes / MEBIBYTE + " MiB of " + totalBytes / MEBIBYTE + " are left";
    }
}
