package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;

/**
 * What the account of programs may do, on a real server of either product that is writable and has the accounts. For
 * one thread.
 */
final class ProgramRules {

    private static final Application PROGRAM = Node.APPLICATION;

    private ProgramRules() {}

    static void check(Node node) throws Exception {
        node.sql("DROP DATABASE IF EXISTS my_app", "CREATE DATABASE myXapp");
        assertThat(node.server().hasApplication(PROGRAM)).isTrue();
        Position before = node.state().history();
        node.server().createDatabase("my_app");
        Position made = node.state().history();
        assertThat(made).as("in the binary log, for replicas").isNotEqualTo(before);
        node.server().createDatabase("my_app");
        node.server().createAccounts(Node.ACCOUNTS);
        assertThat(node.state().history()).isEqualTo(made);

        try (Statements program = node.as(PROGRAM.account())) {
            program.query("CREATE TABLE my_app.orders (id INT PRIMARY KEY)");
            program.query("INSERT INTO my_app.orders VALUES (1)");
            for (String elsewhere : new String[] {
                "CREATE TABLE myXapp.t (id INT)",
                "CREATE DATABASE other",
                "SELECT * FROM mysql.user",
                "SET GLOBAL read_only = OFF",
                "FLUSH TABLES WITH READ LOCK"
            }) {
                assertThat(catchThrowableOfType(SqlFailure.class, () -> program.query(elsewhere)))
                        .as(elsewhere)
                        .isNotNull()
                        .extracting(SqlFailure::kind)
                        .isIn(Kind.REFUSED, Kind.DENIED);
            }
            node.server().makeReadOnly();
            assertThatThrownBy(() -> program.query("INSERT INTO my_app.orders VALUES (2)"))
                    .hasMessageContaining("read-only");
            node.server().makeWritable();
        }
        node.sql("DROP DATABASE my_app", "DROP DATABASE myXapp");
    }

    static void checkLoad(Node node) throws Exception {
        node.sql("SET GLOBAL max_connections = 123");
        try (DatabaseServer server = node.server(PROGRAM.account())) {
            Load load = server.load();
            assertThat(load.mostConnections()).isEqualTo(123);
            assertThat(load.connections()).isBetween(2L, 50L);
            assertThat(load.threadsRunning()).isPositive();
            assertThat(load.queries()).isPositive();
            assertThat(server.load().queries()).isGreaterThan(load.queries());
        }
    }

    static void checkCorrection(Node node) throws Exception {
        String user = Quoted.account(PROGRAM.account().user());
        node.sql("CREATE DATABASE reports", "GRANT SELECT ON reports.* TO " + user);
        assertThat(node.server().hasApplication(PROGRAM)).isTrue();
        node.server().createAccounts(Node.ACCOUNTS);
        try (Statements program = node.as(PROGRAM.account())) {
            program.query("USE reports");
        }

        node.sql("GRANT SUPER ON *.* TO " + user, "ALTER USER " + user + " IDENTIFIED BY 'other'");
        assertThat(node.server().hasApplication(PROGRAM)).isFalse();
        node.server().createAccounts(Node.ACCOUNTS);
        assertThat(node.server().hasApplication(PROGRAM)).isTrue();
        node.as(PROGRAM.account()).close();

        node.sql("DROP USER " + user);
        assertThat(node.server().hasApplication(PROGRAM)).isFalse();
        node.server().createAccounts(Node.ACCOUNTS);
        assertThat(node.server().hasApplication(PROGRAM)).isTrue();
        node.sql("DROP DATABASE reports");
    }
}
