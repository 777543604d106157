package io.busbar.operator.mysqlcluster.sql;

import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Connections of those who are neither the operator, nor replicas, nor the server itself. Both products have the same
 * words.
 */
final class Clients {

    static final String OWN = "SELECT CONNECTION_ID() AS id";
    static final String LIST = "SHOW PROCESSLIST";
    static final String PAUSE = "DO SLEEP(0.05)";

    private static final int PAUSES = 80;
    private static final Set<String> OF_THE_SERVER = Set.of("system user", "event_scheduler");

    private Clients() {}

    /**
     * Ends them, and waits until they are gone, for some seconds: one that is killed within a commit still ends the
     * commit.
     *
     * @return how many are left
     */
    static int close(Statements statements, Account operator) throws SqlFailure, InterruptedException {
        long own = statements.row(OWN).number("id");
        Set<Long> killed = others(statements, own, operator);
        for (long id : killed) {
            kill(statements, id);
        }
        Set<Long> left = killed;
        for (int i = 0; !left.isEmpty() && i < PAUSES; i++) {
            statements.query(PAUSE);
            left = others(statements, own, operator);
            left.retainAll(killed);
        }
        return left.size();
    }

    private static Set<Long> others(Statements statements, long own, Account operator)
            throws SqlFailure, InterruptedException {
        List<Row> all = statements.query(LIST);
        Set<Long> others = new TreeSet<>();
        for (Row connection : all) {
            if (connection.number("Id") != own && isClient(connection, operator)) {
                others.add(connection.number("Id"));
            }
        }
        return others;
    }

    private static boolean isClient(Row connection, Account operator) {
        String user = connection.text("User");
        String command = connection.text("Command");
        return !user.equals(operator.user())
                && !OF_THE_SERVER.contains(user)
                && !command.startsWith("Binlog Dump")
                && !command.equals("Daemon");
    }

    /** Whoever has ended meanwhile is a refusal here, and shows by being gone. */
    private static void kill(Statements statements, long id) throws SqlFailure, InterruptedException {
        try {
            statements.query("KILL " + id);
        } catch (SqlFailure failure) {
            if (failure.kind() != Kind.REFUSED) {
                throw failure;
            }
        }
    }
}
