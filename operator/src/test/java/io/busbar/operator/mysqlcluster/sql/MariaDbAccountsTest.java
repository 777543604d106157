package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import io.busbar.reconciler.leader.Permit;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** One real server on which a backslash is no escape unless a session says so: who may do what on it, and when. */
@EnabledIf(
        value = "io.busbar.operator.mysqlcluster.bed.Product#hasMariaDb",
        disabledReason = "mariadbd is not installed")
class MariaDbAccountsTest {

    private static final Account APPLICATION = new Account("app", "app");

    @TempDir
    private static Path folder;

    private static Vertx vertx;
    private static Node node;

    @BeforeAll
    static void start() throws Exception {
        vertx = Vertx.vertx();
        node = Node.start(Product.MARIADB, vertx, folder, 121, "sql_mode=NO_BACKSLASH_ESCAPES,ANSI_QUOTES");
    }

    @AfterAll
    static void stop() {
        node.close();
        vertx.close().await();
    }

    @BeforeEach
    void a_shop() throws Exception {
        node.server().makeWritable();
        node.sql(
                "CREATE OR REPLACE DATABASE shop",
                "CREATE TABLE shop.orders (id INT PRIMARY KEY)",
                "CREATE OR REPLACE USER app IDENTIFIED BY 'app'",
                "GRANT SELECT, INSERT ON shop.* TO app");
        node.server().createAccounts(Node.ACCOUNTS);
    }

    @Test
    void fact_1_a_read_only_server_obeys_the_operator_and_nobody_else() throws Exception {
        node.server().makeReadOnly();
        node.server().makeReadOnly();
        assertThat(node.state().readOnly()).isTrue();
        try (Statements operator = node.as(Node.OPERATOR);
                Statements app = node.as(APPLICATION)) {
            operator.query("INSERT INTO shop.orders VALUES (1)");
            assertThatThrownBy(() -> app.query("INSERT INTO shop.orders VALUES (2)"))
                    .hasMessageContaining("read-only");
            node.server().makeWritable();
            app.query("INSERT INTO shop.orders VALUES (2)");
        }
        assertThat(node.state().readOnly()).isFalse();
        assertThat(node.orders()).isEqualTo(2);
    }

    @Test
    void fact_2_accounts_leave_no_trace_in_the_binary_log() throws Exception {
        Position before = node.state().history();
        node.sql("DROP USER IF EXISTS nobody");
        Position changed = node.state().history();
        assertThat(changed).isNotEqualTo(before);

        node.server().createAccounts(Node.ACCOUNTS);
        node.server()
                .createAccounts(
                        new Accounts(Node.ROOT, Node.OPERATOR, new Account("other", "other"), Optional.empty()));
        assertThat(node.state().history()).isEqualTo(changed);
    }

    @Test
    void the_operator_may_all_and_the_replication_account_only_replicate() throws Exception {
        node.sql("GRANT SELECT ON *.* TO replication");
        node.server().createAccounts(Node.ACCOUNTS);
        assertThat(grants("replication"))
                .singleElement()
                .asString()
                .startsWith("GRANT REPLICATION SLAVE ON *.* TO `replication`@`%`");
        assertThat(grants("operator"))
                .singleElement()
                .asString()
                .startsWith("GRANT ALL PRIVILEGES ON *.*")
                .endsWith("WITH GRANT OPTION");
    }

    @Test
    void programs_may_all_in_their_database_and_nothing_elsewhere_nor_on_a_read_only_server() throws Exception {
        ProgramRules.check(node);
    }

    @Test
    void programs_lose_what_they_may_everywhere_and_keep_what_somebody_gave_them_elsewhere() throws Exception {
        ProgramRules.checkCorrection(node);
    }

    @Test
    void whoever_logs_in_is_told_how_busy_the_server_is() throws Exception {
        ProgramRules.checkLoad(node);
    }

    @Test
    void the_exporter_may_look_at_all_that_it_counts_and_at_no_data() throws Exception {
        ExporterRules.check(node);
    }

    @Test
    void accounts_let_in_with_two_passwords_while_they_are_changed() throws Exception {
        PasswordRules.check(node);
    }

    private static List<String> grants(String user) throws Exception {
        return node.sql("SHOW GRANTS FOR " + Quoted.account(user)).stream()
                .map(row -> row.only().orElseThrow())
                .toList();
    }

    @Test
    void fact_9_accounts_cannot_be_prepared_so_that_passwords_are_quoted() throws Exception {
        assertThatThrownBy(() -> node.sql("PREPARE account FROM 'CREATE USER ? IDENTIFIED BY ?'"))
                .hasMessageContaining("syntax");
        Account awkward = new Account("operator", "'; DROP DATABASE shop; -- \\' \" ` \\\\ %_ \t\n ä €");
        node.server().createAccounts(new Accounts(Node.ROOT, awkward, Node.REPLICATION, Optional.empty()));
        try (Statements operator = node.as(awkward)) {
            assertThat(operator.row("SELECT CURRENT_USER() AS who").text("who")).isEqualTo("operator@%");
        }
    }

    @Test
    void quoted_text_is_the_same_text_for_the_server() throws Exception {
        Random random = new Random(7);
        String alphabet = "ab'\"`\\\\''\0\n\r\t\u001a;-#/*%_ äß€\uD83D\uDE00";
        int[] characters = alphabet.codePoints().toArray();
        try (Statements statements = node.as(Node.ROOT)) {
            for (int round = 0; round < 300; round++) {
                StringBuilder text = new StringBuilder();
                for (int i = random.nextInt(12); i > 0; i--) {
                    text.appendCodePoint(characters[random.nextInt(characters.length)]);
                }
                String value = text.toString();
                assertThat(statements
                                .row("SELECT " + Quoted.literal(value) + " AS it")
                                .text("it"))
                        .isEqualTo(value);
            }
        }
        node.sql("CREATE DATABASE " + Quoted.name("a`b"), "DROP DATABASE " + Quoted.name("a`b"));
    }

    @Test
    void clients_are_gone_once_they_were_closed_and_operators_are_not() throws Exception {
        try (Statements app = node.as(APPLICATION);
                Statements operator = node.as(Node.OPERATOR);
                DatabaseServer server =
                        new VertxDatabaseServers(() -> vertx, Permit.always()).server(node.endpoint(), Node.OPERATOR)) {
            app.query("START TRANSACTION");
            app.query("INSERT INTO shop.orders VALUES (7)");
            server.closeClients();
            assertThat(operator.query(Clients.LIST))
                    .extracting(row -> row.text("User"))
                    .doesNotContain("app");
            assertThat(catchThrowableOfType(SqlFailure.class, () -> app.query("COMMIT"))
                            .kind())
                    .isEqualTo(Kind.UNREACHABLE);
            server.closeClients();
        }
        assertThat(node.orders()).isZero();
    }

    @Test
    void fact_8_system_variables_beside_an_aggregate_are_wrong_so_none_are_asked_for_so() throws Exception {
        node.server().makeReadOnly();
        String mixed = "SELECT @@GLOBAL.read_only AS it, COUNT(*) AS n FROM shop.orders";
        assertThat(node.sql(mixed).get(0).text("it")).isEqualTo("0");
        assertThat(node.state().readOnly()).isTrue();
        assertThat(List.of(MariaDbDialect.STATE, MySqlDialect.STATE, MySqlDialect.READ_ONLY, Clients.OWN))
                .allSatisfy(sql -> assertThat(sql).doesNotContainPattern("(?i)count\\(|sum\\(|max\\(|min\\("));
    }

    @Test
    void fact_10_a_freeze_stops_all_writes_as_long_as_it_is_open() throws Exception {
        node.sql("INSERT INTO shop.orders VALUES (1)");
        try (Statements operator = node.as(Node.OPERATOR)) {
            operator.query("SET SESSION lock_wait_timeout = 1");
            try (DatabaseServer.Freeze freeze = node.server().freeze(Duration.ofSeconds(2))) {
                assertThatThrownBy(() -> operator.query("INSERT INTO shop.orders VALUES (2)"))
                        .hasMessageContaining("Lock wait timeout");
                node.server().load();
                assertThat(freeze.position()).isEqualTo(node.state().history());
            }
            operator.query("INSERT INTO shop.orders VALUES (2)");
        }
        assertThat(node.orders()).isEqualTo(2);
    }

    @Test
    void it_waits_for_one_replica_or_none_and_refuses_to_wait_for_more() throws Exception {
        node.server().acknowledgeByReplicas(1);
        assertThat(node.state().acknowledgements()).isEqualTo(1);
        SqlFailure failure =
                catchThrowableOfType(SqlFailure.class, () -> node.server().acknowledgeByReplicas(2));
        assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
        assertThat(failure).hasMessageContaining("spec.replication.acknowledgements");
        node.server().acknowledgeByReplicas(0);
        assertThat(node.state().acknowledgements()).isZero();
    }

    @Test
    void a_freeze_of_an_operator_that_has_vanished_ends_by_itself() throws Exception {
        try (DatabaseServer server = node.server(Duration.ofSeconds(1));
                DatabaseServer.Freeze vanished = server.freeze(Duration.ofSeconds(1));
                Statements writer = node.as(Node.OPERATOR)) {
            writer.query("SET SESSION lock_wait_timeout = 30");
            writer.query("INSERT INTO shop.orders VALUES (1)", Duration.ofSeconds(30));
            assertThat(vanished.position()).isNotEqualTo(node.state().history());
        }
    }

    @Test
    void a_freeze_gives_up_in_time_and_leaves_the_server_as_it_was() throws Exception {
        try (Statements writer = node.as(Node.OPERATOR)) {
            writer.query("LOCK TABLES shop.orders WRITE");
            SqlFailure failure =
                    catchThrowableOfType(SqlFailure.class, () -> node.server().freeze(Duration.ofSeconds(1)));
            assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
            writer.query("INSERT INTO shop.orders VALUES (1)");
        }
        node.sql("INSERT INTO shop.orders VALUES (2)");
    }
}
