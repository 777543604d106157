package io.busbar.operator.mysqlcluster.sql;

/**
 * Transactions by their global identifiers: those up to a list of last ones of MariaDB, such as {@code 0-101-57}, or a
 * set of MySQL.
 *
 * <p>Immutable. Positions of the two products do not compare: {@link IllegalArgumentException}.
 */
public interface Position {

    /**
     * Reads what {@link #text} wrote, or a server of that flavor.
     *
     * @throws IllegalArgumentException when it is not such a text
     */
    static Position of(ServerState.Flavor flavor, String text) {
        return switch (flavor) {
            case MARIADB -> MariaDbPosition.parse(text);
            case MYSQL -> MySqlPosition.parse(text);
        };
    }

    boolean isEmpty();

    /** Whether all of the other's transactions are among these. */
    boolean contains(Position other);

    /**
     * Whether a server that stands here passes over all of the other's transactions when they come to it: those of
     * MariaDB by their numbers alone, which only rise in a domain, whoever writes.
     */
    boolean reaches(Position other);

    /** These and those. */
    Position and(Position other);

    /** Those of these that are not among the other's. */
    Position minus(Position other);

    /**
     * Those of these that others than this server wrote.
     *
     * @param writer as {@link ServerState#writer} has it
     */
    Position notBy(String writer);

    /**
     * What a server with this history had when it stood where its dump says: fit to
     * {@linkplain DatabaseServer#seed seed} a copy with. MariaDB's dumps tell the last transaction only, not who wrote
     * those before; a copy that does not know would not know its own past.
     */
    Position upTo(Position dumped);

    /** How many transactions lie before it, for telling how far servers with one history are. */
    long transactions();

    /** As the server writes it. */
    String text();
}
