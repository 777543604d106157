package io.busbar.operator.mysqlcluster.sql;

/**
 * Whose rights, and on what.
 *
 * <p>Immutable.
 *
 * @param database by its name, which is no pattern
 * @param table {@value #ALL_TABLES} for the whole database
 */
public record Scope(AccountName account, String database, String table) {

    public static final String ALL_TABLES = "*";

    public boolean isWholeDatabase() {
        return table.equals(ALL_TABLES);
    }

    /** For people; not quoted. */
    @Override
    public String toString() {
        return database + "." + table + " for " + account;
    }
}
