package io.busbar.operator.mysqlcluster.sql;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One connection, and what is said over it: what one statement sets for its session holds for the next. After a failure
 * as unreachable, or an interruption, it is closed.
 *
 * <p>For one thread, which may block.
 */
interface Statements extends AutoCloseable {

    /** For statements that find all they need at hand. */
    Duration PATIENCE = Duration.ofSeconds(5);

    /** For those that may have much to remove. */
    Duration LONG_PATIENCE = Duration.ofSeconds(60);

    default List<Row> query(String sql) throws SqlFailure, InterruptedException {
        return query(sql, PATIENCE);
    }

    List<Row> query(String sql, Duration patience) throws SqlFailure, InterruptedException;

    /**
     * Says what nobody else may read: neither it nor the server's answer to it gets into a failure.
     *
     * @param kind what a failure calls it
     */
    void secret(String kind, String sql) throws SqlFailure, InterruptedException;

    boolean isOpen();

    /** That the server has shown, verified; empty without TLS. */
    default Optional<X509Certificate> certificate() {
        return Optional.empty();
    }

    @Override
    void close();

    /** The row of a query that always gives one. */
    default Row row(String sql) throws SqlFailure, InterruptedException {
        return query(sql).get(0);
    }

    /** Where they come from. */
    interface Source {

        Statements open() throws SqlFailure, InterruptedException;
    }
}
