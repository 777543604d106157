package io.busbar.operator.mysqlcluster.sql;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Databases within a server. */
final class Schemas {

    static final String LIST = "SHOW DATABASES";

    private static final Set<String> OF_THE_SERVER = Set.of("mysql", "information_schema", "performance_schema", "sys");

    private Schemas() {}

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

    private static List<String> made(Statements statements) throws SqlFailure, InterruptedException {
        return statements.query(LIST).stream()
                .map(schema -> schema.only().orElse(""))
                .filter(name -> !OF_THE_SERVER.contains(name.toLowerCase(Locale.ROOT)))
                .toList();
    }
}
