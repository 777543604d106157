package io.busbar.operator.mysqlcluster.sql;

import java.util.HashMap;
import java.util.Map;

/** The counters of {@code SHOW GLOBAL STATUS}, which both products have, and what bounds them. */
final class StatusCounters {

    private StatusCounters() {}

    /**
     * One statement asks for all.
     *
     * @param table that has them, which anybody may read
     */
    static String question(String table) {
        return "SELECT LOWER(VARIABLE_NAME) AS name, VARIABLE_VALUE AS value FROM " + table
                + " WHERE VARIABLE_NAME IN ('Threads_running', 'Threads_connected', 'Questions', 'Uptime')"
                + " UNION ALL SELECT 'max_connections', @@GLOBAL.max_connections";
    }

    static Load load(Statements statements, String table) throws SqlFailure, InterruptedException {
        Map<String, Long> counters = new HashMap<>();
        for (Row row : statements.query(question(table))) {
            counters.put(row.text("name"), row.number("value"));
        }
        return new Load(
                counters.getOrDefault("threads_running", 0L),
                counters.getOrDefault("threads_connected", 0L),
                counters.getOrDefault("max_connections", 0L),
                counters.getOrDefault("questions", 0L),
                counters.getOrDefault("uptime", 0L));
    }
}
