package io.busbar.operator.mysqlcluster.sql;

import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Connections of clients, who are neither the operator, nor replicas, nor the server itself; and of replicas. Both
 * products have the same words.
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
        return end(statements, one -> one.number("Id") != own && isClient(one, operator));
    }

    /**
     * Ends those over which a server sends its binary log, and waits until they are gone. A replica connects again by
     * itself, and is judged by what the server has then.
     */
    static void closeReplicas(Statements statements) throws SqlFailure, InterruptedException {
        int left = end(statements, Clients::isReplica);
        if (left > 0) {
            throw new SqlFailure(Kind.REFUSED, left + " connections of replicas do not end", null);
        }
    }

    /** One that is connected, by its name. */
    static Optional<String> anyOf(Statements statements, Account operator) throws SqlFailure, InterruptedException {
        return statements.query(LIST).stream()
                .filter(one -> isClient(one, operator))
                .map(one -> one.text("User"))
                .findFirst();
    }

    private static int end(Statements statements, Predicate<Row> which) throws SqlFailure, InterruptedException {
        Set<Long> killed = ids(statements, which);
        for (long id : killed) {
            kill(statements, id);
        }
        Set<Long> left = killed;
        for (int i = 0; !left.isEmpty() && i < PAUSES; i++) {
            statements.query(PAUSE);
            left = ids(statements, which);
            left.retainAll(killed);
        }
        return left.size();
    }

    private static Set<Long> ids(Statements statements, Predicate<Row> which) throws SqlFailure, InterruptedException {
        Set<Long> ids = new TreeSet<>();
        for (Row connection : statements.query(LIST)) {
            if (which.test(connection)) {
                ids.add(connection.number("Id"));
            }
        }
        return ids;
    }

    private static boolean isClient(Row connection, Account operator) {
        String user = connection.text("User");
        String command = connection.text("Command");
        return !user.equals(operator.user())
                && !OF_THE_SERVER.contains(user)
                && !isReplica(connection)
                && !command.equals("Daemon");
    }

    private static boolean isReplica(Row connection) {
        return connection.text("Command").startsWith("Binlog Dump");
    }

    /** Whoever has ended meanwhile is a refusal here, and shows by being gone. */
    static void kill(Statements statements, long id) throws SqlFailure, InterruptedException {
        try {
            statements.query("KILL " + id);
        } catch (SqlFailure failure) {
            if (failure.kind() != Kind.REFUSED) {
                throw failure;
            }
        }
    }
}
