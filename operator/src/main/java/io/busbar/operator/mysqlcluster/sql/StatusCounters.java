package io.busbar.operator.mysqlcluster.sql;

import java.util.HashMap;
import java.util.Map;

/** The counters of {@code SHOW GLOBAL STATUS}, which both products have. */
final class StatusCounters {

    static final String STATUS = "SHOW GLOBAL STATUS WHERE Variable_name IN"
            + " ('Threads_running', 'Threads_connected', 'Questions', 'Uptime')";

    private StatusCounters() {}

    static Load load(Statements statements) throws SqlFailure, InterruptedException {
        Map<String, Long> counters = new HashMap<>();
        for (Row row : statements.query(STATUS)) {
            counters.put(row.text("Variable_name"), row.number("Value"));
        }
        return new Load(
                counters.getOrDefault("Threads_running", 0L),
                counters.getOrDefault("Threads_connected", 0L),
                counters.getOrDefault("Questions", 0L),
                counters.getOrDefault("Uptime", 0L));
    }
}
