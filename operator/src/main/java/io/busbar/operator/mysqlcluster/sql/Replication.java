package io.busbar.operator.mysqlcluster.sql;

import java.time.Duration;
import java.util.Optional;

/**
 * How a replica follows its source.
 *
 * <p>Immutable.
 *
 * @param source whom
 * @param io of the thread that receives
 * @param sqlRunning whether the thread that applies runs
 * @param ioErrno 0 for none
 * @param ioError empty for none
 * @param sqlErrno 0 for none
 * @param sqlError empty for none
 * @param lag behind the source; empty while that is not known, as with a source that is away
 * @param received all that has come, applied or not
 */
public record Replication(
        Endpoint source,
        Io io,
        boolean sqlRunning,
        int ioErrno,
        String ioError,
        int sqlErrno,
        String sqlError,
        Optional<Duration> lag,
        Position received) {

    /** The source has not, or no longer, what the replica asks for: they have different histories, or it was purged. */
    public static final int FATAL_ERROR_READING_BINLOG = 1236;

    /** Whether its server was started since it followed: both threads stand still, and none because of a failure. */
    public boolean isUnbegun() {
        return io == Io.NO && !sqlRunning && sqlErrno == 0;
    }

    /** What the receiving thread does. */
    public enum Io {
        YES,
        CONNECTING,
        NO
    }
}
