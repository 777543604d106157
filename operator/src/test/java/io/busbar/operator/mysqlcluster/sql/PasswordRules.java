package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.busbar.operator.mysqlcluster.sql.Replication.Io;
import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** With which passwords accounts let in, on real servers of either product. For one thread. */
final class PasswordRules {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final List<String> USERS = List.of("root", "operator", "replication", "program", "busbar_exporter");

    private PasswordRules() {}

    /** Before a change with the old ones, then with both, at last with the new ones. */
    private static Accounts accounts(String password, String other) {
        return new Accounts(
                account("root", password, other),
                account("operator", password, other),
                account("replication", password, other),
                Optional.of(new Application(account("program", password, other), "my_app")),
                Optional.of(account("busbar_exporter", password, other)),
                true);
    }

    private static Account account(String user, String password, String other) {
        return new Account(user, word(user, password), other.isEmpty() ? null : word(user, other));
    }

    /** With what would end a text in SQL. */
    private static String word(String user, String password) {
        return user + "'s \\ " + password;
    }

    private static void letsIn(Node node, String... passwords) throws Exception {
        for (String user : USERS) {
            for (String password : List.of("old", "new")) {
                boolean isExpected = List.of(passwords).contains(password);
                SqlFailure denied = catchThrowableOfType(
                        SqlFailure.class,
                        () -> node.as(new Account(user, word(user, password))).close());
                assertThat(denied == null)
                        .as("%s with the %s password: %s", user, password, denied)
                        .isEqualTo(isExpected);
                assertThat(Optional.ofNullable(denied).map(SqlFailure::kind))
                        .isIn(Optional.empty(), Optional.of(Kind.DENIED));
            }
        }
    }

    /** Leaves the accounts as they are elsewhere. */
    static void check(Node node) throws Exception {
        Position before = node.state().history();
        setRulesForPeople(node, 1);
        node.server().createAccounts(accounts("old", ""));
        letsIn(node, "old");
        for (String user : USERS) {
            assertThat(node.sql("SHOW CREATE USER " + Quoted.account(user))
                            .get(0)
                            .only())
                    .as(user)
                    .hasValueSatisfying(words -> assertThat(words).contains("PASSWORD EXPIRE NEVER"));
        }
        try (DatabaseServer server = node.server(account("operator", "old", ""))) {
            for (int i = 0; i < 2; i++) {
                server.createAccounts(accounts("old", "new"));
                letsIn(node, "old", "new");
            }
        }
        try (DatabaseServer server = node.server(account("operator", "new", ""))) {
            server.createAccounts(accounts("new", "old"));
            letsIn(node, "old", "new");
            for (int i = 0; i < 2; i++) {
                server.createAccounts(accounts("new", ""));
                letsIn(node, "new");
            }
            assertThat(server.observe().history()).as("not in the binary log").isEqualTo(before);
            server.createAccounts(new Accounts(
                    Node.ROOT, Node.OPERATOR, Node.REPLICATION, Optional.of(Node.APPLICATION), Optional.empty(), true));
        }
        setRulesForPeople(node, 0);
    }

    /** @param most days until a password expires, and passwords that are remembered, where the product can do so */
    private static void setRulesForPeople(Node node, int most) throws Exception {
        node.sql("SET GLOBAL default_password_lifetime = " + most);
        if (node.state().flavor() == ServerState.Flavor.MYSQL) {
            node.sql("SET GLOBAL password_history = " + most);
        }
    }

    /** Of a source and a replica of it that follows with the password of {@link Node#REPLICATION}. */
    static void checkReconnection(Node source, Node replica) throws Exception {
        Account changed = new Account(Node.REPLICATION.user(), "ch'an\\ged", Node.REPLICATION.password());
        for (Node node : List.of(source, replica)) {
            node.server().createAccounts(new Accounts(Node.ROOT, Node.OPERATOR, changed, Optional.empty()));
        }
        replica.server().stopReceiving();
        assertThat(replica.server().awaitReceived(PATIENCE)).isTrue();
        replica.server().reconnect(source.endpoint(), changed);
        assertThat(replica.replication().io()).isEqualTo(Io.YES);

        for (Node node : List.of(source, replica)) {
            node.server()
                    .createAccounts(new Accounts(
                            Node.ROOT,
                            Node.OPERATOR,
                            new Account(changed.user(), changed.password()),
                            Optional.empty()));
        }
        source.sql("CREATE DATABASE after");
        // Whoever is let in is let in anew.
        Clients.closeReplicas(source.as(Node.ROOT));
        source.sql("CREATE DATABASE beyond");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(replica.state()
                                .history()
                                .contains(source.state().history()))
                        .isTrue());
        assertThat(replica.replication().ioErrno()).isZero();
    }
}
