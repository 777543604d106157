package io.busbar.operator.mysqlcluster.sql;

/**
 * Transactions by their global identifiers: a list of last ones of MariaDB, such as {@code 0-101-57}, or a set of MySQL.
 *
 * <p>Immutable. Positions of the two products do not compare: {@link IllegalArgumentException}.
 */
public interface Position {

    boolean isEmpty();

    /** Whether all of the other's transactions are among these. */
    boolean contains(Position other);

    /** How many transactions lie before it, for ranking servers with one history. */
    long transactions();

    /** As the server writes it. */
    String text();
}
