package io.busbar.operator.mysqlcluster.sql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Statements of the event scheduler, the same for both products. An event that came by replication does not run at a
 * replica; it would not run there either once nobody is its source any more.
 *
 * <p>Immutable; blocks as its statements do.
 */
final class Events {

    /** MySQL has renamed the status of those that replication has stopped. */
    static final String STOPPED = "SELECT EVENT_SCHEMA AS event_schema, EVENT_NAME AS event_name, DEFINER AS definer,"
            + " STATUS AS status FROM information_schema.EVENTS WHERE STATUS <> 'ENABLED' ORDER BY 1, 2";

    private static final String RUNNING = "SELECT EVENT_SCHEMA AS event_schema, EVENT_NAME AS event_name,"
            + " DEFINER AS definer FROM information_schema.EVENTS WHERE STATUS = 'ENABLED' ORDER BY 1, 2";

    private static final String BY_USER = "DISABLED";

    private Events() {}

    static StoppedEvents stopped(Statements statements) throws SqlFailure, InterruptedException {
        List<String> byReplication = new ArrayList<>();
        List<String> byUser = new ArrayList<>();
        for (Row event : statements.query(STOPPED)) {
            (isByUser(event) ? byUser : byReplication).add(name(event));
        }
        return new StoppedEvents(byReplication, byUser);
    }

    static void enable(Statements statements, Collection<String> disabled) throws SqlFailure, InterruptedException {
        for (Row event : statements.query(STOPPED)) {
            if (!isByUser(event)) {
                String status = disabled.contains(name(event)) ? "DISABLE" : "ENABLE";
                // Who alters an event becomes its definer, unless the statement names one.
                statements.query(
                        "ALTER DEFINER = " + definer(event.text("definer")) + " EVENT " + name(event) + " " + status);
            }
        }
    }

    /**
     * Of a copy: those that run where it came from do not run here, as if they had come by replication. To be written
     * to no binary log.
     *
     * @param follower what the server calls a replica
     */
    static void stop(Statements statements, String follower) throws SqlFailure, InterruptedException {
        for (Row event : statements.query(RUNNING)) {
            statements.query("ALTER DEFINER = " + definer(event.text("definer")) + " EVENT " + name(event)
                    + " DISABLE ON " + follower);
        }
    }

    private static boolean isByUser(Row event) {
        return event.text("status").equals(BY_USER);
    }

    private static String name(Row event) {
        return Quoted.name(event.text("event_schema")) + "." + Quoted.name(event.text("event_name"));
    }

    private static String definer(String account) {
        int at = account.lastIndexOf('@');
        return at < 0
                ? Quoted.name(account)
                : Quoted.literal(account.substring(0, at)) + "@" + Quoted.literal(account.substring(at + 1));
    }
}
