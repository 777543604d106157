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

    /** The name of a database where a pattern of names is read. */
    static String pattern(String database) {
        return database.replace("\\", "\\\\").replace("_", "\\_").replace("%", "\\%");
    }

    /** From everywhere. */
    static String account(String user) {
        return account(new AccountName(user, AccountName.ANYWHERE));
    }

    static String account(AccountName name) {
        return literal(name.user()) + "@" + literal(name.host());
    }
}
