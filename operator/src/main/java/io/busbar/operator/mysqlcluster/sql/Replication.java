package io.busbar.operator.mysqlcluster.sql;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

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

    /** The password has been changed, and the replica would go on trying with the old one. */
    public static final int WRONG_PASSWORD = 1045;

    /** The source has no connection left. */
    public static final int TOO_MANY_CONNECTIONS = 1040;

    /** The account lacks a right: MySQL lets in by its port for administration only who may administer connections. */
    public static final int LACKS_A_RIGHT = 1227;

    /**
     * How often a source that has nothing to send says that it is there. The option files have replicas take it for
     * lost after 8 seconds without.
     */
    static final int HEARTBEAT_SECONDS = 2;

    /** The source has refused the replica with an error of its own, which MySQL tells in the text alone. */
    static final int REFUSED_BY_SOURCE = 13114;

    private static final Pattern REASON =
            Pattern.compile("\\bfatal error " + FATAL_ERROR_READING_BINLOG + "\\b", Pattern.CASE_INSENSITIVE);

    /** Whether its server was started since it followed: both threads stand still, and none because of a failure. */
    public boolean isUnbegun() {
        return io == Io.NO && !sqlRunning && sqlErrno == 0;
    }

    /** Whether the source does not have what the replica asks for, so that it will never get that. */
    public boolean isRefusedBySource() {
        return ioErrno == FATAL_ERROR_READING_BINLOG
                || (ioErrno == REFUSED_BY_SOURCE && REASON.matcher(ioError).find());
    }

    /** What the receiving thread does. */
    public enum Io {
        YES,
        CONNECTING,
        NO
    }
}
