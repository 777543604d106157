package io.busbar.operator.mysqlcluster.sql;

import java.util.Locale;
import java.util.Set;

/** Databases within a server. */
final class Schemas {

    static final String LIST = "SHOW DATABASES";

    private static final Set<String> OF_THE_SERVER = Set.of("mysql", "information_schema", "performance_schema", "sys");

    private Schemas() {}

    /** All that users have made. */
    static void drop(Statements statements) throws SqlFailure, InterruptedException {
        for (Row schema : statements.query(LIST)) {
            String name = schema.only().orElse("");
            if (!OF_THE_SERVER.contains(name.toLowerCase(Locale.ROOT))) {
                statements.query("DROP DATABASE IF EXISTS " + Quoted.name(name), Statements.LONG_PATIENCE);
            }
        }
    }
}
