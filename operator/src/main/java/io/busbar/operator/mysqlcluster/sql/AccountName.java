package io.busbar.operator.mysqlcluster.sql;

/**
 * An account of a server: who logs in, and from where.
 *
 * <p>Immutable.
 *
 * @param host a name, an address, or a pattern of either
 */
public record AccountName(String user, String host) {

    /** Of those that may come from anywhere. */
    public static final String ANYWHERE = "%";

    /** For people; not quoted. */
    @Override
    public String toString() {
        return user + "@" + host;
    }
}
