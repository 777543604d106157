package io.busbar.operator.mysqlcluster.sql;

/**
 * Values within statements, for a session whose {@code sql_mode} is empty: a backslash escapes.
 *
 * <p>Statements about accounts and replication cannot be prepared, so that nothing else helps.
 */
final class Quoted {

    private Quoted() {}

    static String literal(String value) {
        return "'" + value.replace("\\", "\\\\").replace("'", "''").replace("\0", "\\0") + "'";
    }

    static String name(String value) {
        return "`" + value.replace("`", "``") + "`";
    }

    /** From everywhere. */
    static String account(String user) {
        return literal(user) + "@'%'";
    }
}
