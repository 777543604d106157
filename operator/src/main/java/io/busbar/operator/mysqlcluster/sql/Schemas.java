package io.busbar.operator.mysqlcluster.sql;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Databases within a server. Any thread; statements wait. */
public final class Schemas {

    static final String LIST = "SHOW DATABASES";

    private static final String MARKED = "EXISTS (SELECT 1 FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = '"
            + DatabaseServer.MARK_OF_INCOMPLETE + "')";

    /** As a column {@code incomplete}. */
    static final String INCOMPLETE = MARKED + " AS incomplete";

    /** Some tables of users whose engine knows no transactions. */
    static final String WITHOUT_TRANSACTIONS = "SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) AS name"
            + " FROM information_schema.TABLES WHERE TABLE_TYPE = 'BASE TABLE' AND ENGINE IN ('MyISAM', 'Aria', 'MEMORY',"
            + " 'CSV', 'ARCHIVE', 'MERGE', 'MRG_MyISAM') AND TABLE_SCHEMA NOT IN ('mysql', 'information_schema',"
            + " 'performance_schema', 'sys') ORDER BY name LIMIT 5";

    /** One table of users whose rows are in no file, if there is any. */
    static final String IN_MEMORY =
            "SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) AS name FROM information_schema.TABLES"
                    + " WHERE TABLE_TYPE = 'BASE TABLE' AND ENGINE = 'MEMORY' AND TABLE_SCHEMA NOT IN ('mysql',"
                    + " 'information_schema', 'performance_schema', 'sys') LIMIT 1";

    /** Those that no user may have. */
    public static final Set<String> OF_THE_SERVER =
            Set.of("mysql", "information_schema", "performance_schema", "sys", DatabaseServer.MARK_OF_INCOMPLETE);

    private Schemas() {}

    /**
     * As a column {@code incomplete}.
     *
     * @param other a condition by which it is that, too
     */
    static String isIncomplete(String other) {
        return MARKED + " OR " + other + " AS incomplete";
    }

    /** Marks a server whose data are about to go. */
    static void begin(Statements statements) throws SqlFailure, InterruptedException {
        statements.query("CREATE DATABASE IF NOT EXISTS " + DatabaseServer.MARK_OF_INCOMPLETE);
    }

    /** All that it was to be given is there. */
    static void end(Statements statements) throws SqlFailure, InterruptedException {
        statements.query("DROP DATABASE IF EXISTS " + DatabaseServer.MARK_OF_INCOMPLETE);
    }

    /** All that users have made. */
    static void drop(Statements statements) throws SqlFailure, InterruptedException {
        for (String name : made(statements)) {
            statements.query("DROP DATABASE IF EXISTS " + Quoted.name(name), Statements.LONG_PATIENCE);
        }
    }

    /** Whether users have made any. */
    static boolean ofUsers(Statements statements) throws SqlFailure, InterruptedException {
        return !made(statements).isEmpty();
    }

    /** Unless it is there: that would leave a trace in the binary log. */
    static void make(Statements statements, String name) throws SqlFailure, InterruptedException {
        boolean isThere = statements.query(LIST).stream()
                .anyMatch(schema -> name.equals(schema.only().orElse("")));
        if (!isThere) {
            statements.query("CREATE DATABASE IF NOT EXISTS " + Quoted.name(name));
        }
    }

    /** Whether it is one of {@link #OF_THE_SERVER}, however it is spelt. */
    public static boolean isOfTheServer(String name) {
        return OF_THE_SERVER.contains(name.toLowerCase(Locale.ROOT));
    }

    private static List<String> made(Statements statements) throws SqlFailure, InterruptedException {
        return statements.query(LIST).stream()
                .map(schema -> schema.only().orElse(""))
                .filter(name -> !isOfTheServer(name))
                .toList();
    }
}
