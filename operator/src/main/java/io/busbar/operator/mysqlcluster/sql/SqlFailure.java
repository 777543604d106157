package io.busbar.operator.mysqlcluster.sql;

import org.jspecify.annotations.Nullable;

/**
 * What was asked of a server was not done, or it is not known whether it was.
 *
 * <p>Immutable.
 */
public final class SqlFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** By what helps. */
    public enum Kind {
        /** No connection, or none any more, or no answer in time: try again. */
        UNREACHABLE,
        /** The password or the rights are wrong. */
        DENIED,
        /** There is no room for what was to be written. */
        DISK_FULL,
        /** The server understood and refused. */
        REFUSED
    }

    /**
     * @param message for people, naming the server; without any password
     * @param cause null when it may tell a password
     */
    public SqlFailure(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
