package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the account of the exporter may do, on a real server of either product that is writable and has the accounts. For
 * one thread.
 */
final class ExporterRules {

    private static final Account EXPORTER = new Account(Accounts.EXPORTER, "e'x\\porter");

    private static final int MOST_CONNECTIONS = 3;

    private ExporterRules() {}

    static Accounts with(Optional<Account> exporter) {
        return new Accounts(Node.ROOT, Node.OPERATOR, Node.REPLICATION, Optional.of(Node.APPLICATION), exporter, false);
    }

    /** What mysqld_exporter asks, some of it only where a flag says so. */
    private static List<String> questions(Node node) throws Exception {
        boolean isMariaDb = node.state().flavor() == ServerState.Flavor.MARIADB;
        return List.of(
                "SELECT @@version",
                "SHOW GLOBAL STATUS",
                "SHOW GLOBAL VARIABLES",
                isMariaDb ? "SHOW ALL SLAVES STATUS" : "SHOW REPLICA STATUS",
                isMariaDb ? "SHOW MASTER STATUS" : "SHOW BINARY LOG STATUS",
                "SHOW BINARY LOGS",
                "SHOW ENGINE INNODB STATUS",
                "SELECT name, subsystem, comment, count FROM information_schema.INNODB_METRICS",
                "SELECT page_size, compress_ops FROM information_schema.INNODB_CMP",
                "SELECT page_size, buffer_pool_instance FROM information_schema.INNODB_CMPMEM",
                isMariaDb
                        ? "SELECT NAME FROM information_schema.INNODB_SYS_TABLESPACES"
                        : "SELECT NAME FROM information_schema.INNODB_TABLESPACES",
                "SELECT user, COUNT(*) FROM information_schema.PROCESSLIST GROUP BY user",
                "SELECT DIGEST, COUNT_STAR FROM performance_schema.events_statements_summary_by_digest LIMIT 1",
                "SELECT EVENT_NAME FROM performance_schema.file_summary_by_event_name LIMIT 1");
    }

    static void check(Node node) throws Exception {
        node.sql("CREATE DATABASE kept", "CREATE TABLE kept.t (id INT)", "INSERT INTO kept.t VALUES (7)");
        DatabaseServer server = node.server();
        Accounts asked = with(Optional.of(EXPORTER));
        Position before = node.state().history();
        assertThat(server.isExporterAsWanted(asked)).isFalse();
        assertThat(server.isExporterAsWanted(Node.ACCOUNTS)).isTrue();
        for (int i = 0; i < 2; i++) {
            server.createAccounts(asked);
            assertThat(server.isExporterAsWanted(asked)).isTrue();
        }
        checkRights(node);
        checkConnections(node);

        server.createAccounts(asked);
        node.sql("SET SESSION sql_log_bin = OFF", "GRANT SELECT ON kept.* TO " + Accounts.EXPORTER);
        assertThat(server.isExporterAsWanted(asked)).as("with more rights").isFalse();
        server.createAccounts(asked);
        assertThat(server.isExporterAsWanted(asked)).isTrue();
        refuses(node, "SELECT * FROM kept.t");

        assertThat(server.isExporterAsWanted(Node.ACCOUNTS)).isFalse();
        server.createAccounts(Node.ACCOUNTS);
        server.createAccounts(Node.ACCOUNTS);
        assertThat(server.isExporterAsWanted(Node.ACCOUNTS)).isTrue();
        assertThat(catchThrowableOfType(
                                SqlFailure.class, () -> node.as(EXPORTER).close())
                        .kind())
                .isEqualTo(Kind.DENIED);
        assertThat(node.state().history()).as("not in the binary log").isEqualTo(before);
        node.sql("SET SESSION sql_log_bin = ON", "DROP DATABASE kept");
    }

    private static void checkRights(Node node) throws Exception {
        try (Statements exporter = node.as(EXPORTER)) {
            for (String question : questions(node)) {
                exporter.query(question);
            }
            assertThat(exporter.query("SELECT DISTINCT user AS name FROM information_schema.PROCESSLIST"))
                    .as("sees others")
                    .extracting(row -> row.text("name"))
                    .contains("root");
        }
        refuses(node, "SELECT * FROM kept.t");
        refuses(node, "INSERT INTO kept.t VALUES (1)");
        refuses(node, "CREATE DATABASE mine");
        refuses(node, "SELECT * FROM mysql.user");
        refuses(node, "SET GLOBAL max_connections = 10");
        refuses(node, "UPDATE performance_schema.setup_consumers SET ENABLED = 'YES'");
        refuses(node, "CREATE USER another");
    }

    private static void refuses(Node node, String statement) throws Exception {
        try (Statements exporter = node.as(EXPORTER)) {
            assertThat(catchThrowableOfType(SqlFailure.class, () -> exporter.query(statement)))
                    .as(statement)
                    .isNotNull()
                    .extracting(SqlFailure::kind)
                    .isIn(Kind.REFUSED, Kind.DENIED);
        }
    }

    private static void checkConnections(Node node) throws Exception {
        List<Statements> open = new ArrayList<>();
        try {
            for (int i = 0; i < MOST_CONNECTIONS; i++) {
                open.add(node.as(EXPORTER));
            }
            assertThat(catchThrowableOfType(
                            SqlFailure.class, () -> node.as(EXPORTER).close()))
                    .hasMessageContaining("max_user_connections");
        } finally {
            open.forEach(Statements::close);
        }
    }
}
