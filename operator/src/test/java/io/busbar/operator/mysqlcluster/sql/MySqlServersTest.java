package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.sql.Replication.Io;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What only MySQL does, on three real servers, empty before each test. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMySql", disabledReason = Product.NEEDS_MYSQL)
class MySqlServersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** Which plugin an unknown name is asked for depends on the name and on the server. */
    private static final int UNKNOWN_NAMES = 64;

    @TempDir
    private static Path folder;

    private static Vertx vertx;
    private static List<Node> nodes;
    private static Node first;
    private static Node second;
    private static Node third;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        nodes = Node.startAll(Product.MYSQL, vertx, folder, 131, 132, 133);
        first = nodes.get(0);
        second = nodes.get(1);
        third = nodes.get(2);
    }

    @AfterAll
    static void stop() {
        nodes.forEach(Node::close);
        vertx.close().await();
    }

    @BeforeEach
    void from_scratch() throws Exception {
        for (Node node : nodes) {
            node.server().acknowledgeByReplicas(0);
            node.server().makeReadOnly();
            node.server().erase();
            node.server().createAccounts(Node.ACCOUNTS);
        }
        first.server().makeWritable();
    }

    private static void shop(Node node) throws Exception {
        node.sql(
                "CREATE DATABASE shop",
                "CREATE TABLE shop.orders (id INT PRIMARY KEY)",
                "INSERT INTO shop.orders VALUES (1)");
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().ignoreExceptionsInstanceOf(SqlFailure.class)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(assertion);
    }

    @Test
    void whoever_has_no_account_is_denied_whatever_plugin_the_server_makes_up_for_the_name() {
        for (int i = 0; i < UNKNOWN_NAMES; i++) {
            Account nobody = new Account("nobody" + i, "secret");
            SqlFailure failure = catchThrowableOfType(SqlFailure.class, () -> {
                try (Statements session = first.as(nobody)) {
                    session.query("SELECT 1");
                }
            });
            assertThat(failure).as(nobody.user()).isNotNull();
            assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(SqlFailure.Kind.DENIED);
        }
    }

    @Test
    void a_replica_has_what_its_source_wrote_and_goes_on_only_when_it_is_told_to() throws Exception {
        shop(first);
        second.server().follow(first.endpoint(), Node.REPLICATION, false);
        Position written = first.state().history();
        assertThat(second.server().awaitApplied(written, PATIENCE)).isTrue();
        assertThat(second.orders()).isEqualTo(1);
        ServerState state = second.state();
        assertThat(state.flavor()).isEqualTo(ServerState.Flavor.MYSQL);
        assertThat(state.history()).isEqualTo(written);
        assertThat(state.own().isEmpty()).isTrue();
        eventually(() -> assertThat(second.replication().io()).isEqualTo(Io.YES));

        second.kill();
        second.restart();
        eventually(() -> assertThat(second.replication().isUnbegun()).isTrue());
        second.server().follow(first.endpoint(), Node.REPLICATION, false);
        eventually(() -> assertThat(second.replication().io()).isEqualTo(Io.YES));
    }

    @Test
    void a_write_waits_for_as_many_replicas_as_were_asked_for() throws Exception {
        Path plugins = Path.of(first.sql("SELECT @@plugin_dir AS folder").get(0).text("folder"));
        assumeTrue(Files.exists(plugins.resolve("semisync_source.so")), "this server has no plugin of semi-sync");
        shop(first);
        assertThat(first.state().acknowledgements()).isZero();
        first.sql(
                "INSTALL PLUGIN rpl_semi_sync_source SONAME 'semisync_source.so'",
                "SET GLOBAL rpl_semi_sync_source_timeout = 4294967295");
        assertThat(first.state().acknowledgements()).isZero();
        for (Node replica : List.of(second, third)) {
            replica.sql(
                    "SET GLOBAL super_read_only = OFF",
                    "SET SESSION sql_log_bin = OFF",
                    "INSTALL PLUGIN rpl_semi_sync_replica SONAME 'semisync_replica.so'",
                    "SET GLOBAL rpl_semi_sync_replica_enabled = ON",
                    "SET GLOBAL super_read_only = ON");
        }
        second.server().follow(first.endpoint(), Node.REPLICATION, false);
        first.server().acknowledgeByReplicas(2);
        try (Statements writer = first.as(Node.OPERATOR)) {
            assertThat(first.state().acknowledgements()).isEqualTo(2);
            assertThat(second.server().awaitApplied(first.state().history(), PATIENCE))
                    .isTrue();
            assertThat(second.orders()).isEqualTo(1);
            assertThatThrownBy(() -> writer.query("INSERT INTO shop.orders VALUES (2)", Duration.ofSeconds(1)))
                    .hasMessageContaining("no answer in time");
            assertThat(second.server().awaitReceived(PATIENCE)).isTrue();
            assertThat(first.orders()).as("what waits, nobody sees").isEqualTo(1);
        }
        third.server().follow(first.endpoint(), Node.REPLICATION, false);
        try (Statements writer = first.as(Node.OPERATOR)) {
            writer.query("INSERT INTO shop.orders VALUES (3)", PATIENCE);
        }
        assertThat(second.server().awaitReceived(PATIENCE)).isTrue();
        assertThat(third.server().awaitReceived(PATIENCE)).isTrue();
        assertThat(List.of(first.orders(), second.orders(), third.orders())).containsExactly(3L, 3L, 3L);
    }

    @Test
    void a_freeze_of_an_operator_that_has_vanished_ends_by_itself() throws Exception {
        shop(first);
        try (DatabaseServer server = first.server(Duration.ofSeconds(1));
                DatabaseServer.Freeze vanished = server.freeze(Duration.ofSeconds(1));
                Statements writer = first.as(Node.OPERATOR)) {
            writer.query("SET SESSION lock_wait_timeout = 30");
            writer.query("INSERT INTO shop.orders VALUES (2)", Duration.ofSeconds(30));
            assertThat(vanished.position()).isNotEqualTo(first.state().history());
        }
    }

    @Test
    void a_replica_that_asks_for_what_was_purged_is_refused_by_its_source() throws Exception {
        shop(first);
        first.sql("FLUSH BINARY LOGS");
        List<Row> logs = first.sql("SHOW BINARY LOGS");
        String current = logs.get(logs.size() - 1).text("Log_name");
        first.sql("PURGE BINARY LOGS TO '" + current + "'");

        second.server().follow(first.endpoint(), Node.REPLICATION, false);
        eventually(() -> assertThat(second.replication().isRefusedBySource())
                .as(second.replication().toString())
                .isTrue());
        assertThat(second.replication().io()).isEqualTo(Io.NO);
    }

    @Test
    void a_replica_whose_source_is_away_is_not_refused() throws Exception {
        second.server().follow(new Endpoint("127.0.2.250", 3307), Node.REPLICATION, false);
        eventually(() -> assertThat(second.replication().ioErrno()).isNotZero());
        assertThat(second.replication().isRefusedBySource()).isFalse();
        assertThat(second.replication().io()).isEqualTo(Io.CONNECTING);
    }

    @Test
    void what_a_new_server_wrote_at_its_birth_is_forgotten_and_what_users_wrote_is_not() throws Exception {
        first.sql("TRUNCATE TABLE mysql.time_zone", "INSERT INTO mysql.time_zone (Use_leap_seconds) VALUES ('N')");
        assertThat(first.state().isBlank()).isFalse();
        first.server().forgetBirth();
        assertThat(first.state().isBlank()).isTrue();
        assertThat(first.sql("SELECT Use_leap_seconds FROM mysql.time_zone")).hasSize(1);

        shop(first);
        Position written = first.state().history();
        first.server().forgetBirth();
        assertThat(first.state().history()).isEqualTo(written);
    }

    @Test
    void a_server_that_starts_again_takes_no_writes_of_anybody_until_the_operator_opens_it() throws Exception {
        shop(first);
        second.server().follow(first.endpoint(), Node.REPLICATION, false);
        assertThat(second.server().awaitApplied(first.state().history(), PATIENCE))
                .isTrue();

        first.kill();
        first.restart();

        SqlFailure refused =
                catchThrowableOfType(SqlFailure.class, () -> first.sql("INSERT INTO shop.orders VALUES (2)"));
        assertThat(refused).hasMessageContaining("super-read-only");
        first.server().createAccounts(Node.ACCOUNTS);
        first.server().forgetBirth();
        assertThat(first.orders()).isEqualTo(1);
        assertThat(catchThrowableOfType(SqlFailure.class, () -> first.sql("CREATE DATABASE errant")))
                .hasMessageContaining("super-read-only");
        first.server().makeWritable();
        first.sql("INSERT INTO shop.orders VALUES (2)");

        second.kill();
        second.restart();
        assertThat(second.sql(MySqlDialect.READ_ONLY).get(0).isOn("super_read_only"))
                .isTrue();
        second.server().follow(first.endpoint(), Node.REPLICATION, false);
        assertThat(second.server().awaitApplied(first.state().history(), PATIENCE))
                .isTrue();
        assertThat(second.orders()).isEqualTo(2);
        second.kill();
        second.restart();
        second.server().erase();
        assertThat(second.state().incomplete()).isTrue();
        second.server().seed(first.state().history().text());
        assertThat(second.state().incomplete()).isFalse();

        second.sql("SET GLOBAL super_read_only = OFF");
        second.server().createAccounts(Node.ACCOUNTS);
        assertThat(second.sql(MySqlDialect.READ_ONLY).get(0).isOn("super_read_only"))
                .as("left open by a change that was broken off")
                .isTrue();
    }

    @Test
    void whoever_logs_in_is_told_how_busy_the_server_is() throws Exception {
        ProgramRules.checkLoad(first);
    }

    @Test
    void the_exporter_may_look_at_all_that_it_counts_and_at_no_data() throws Exception {
        ExporterRules.check(first);
    }

    @Test
    void accounts_let_in_with_two_passwords_while_they_are_changed() throws Exception {
        PasswordRules.check(first);
    }

    @Test
    void a_replica_goes_on_with_another_password() throws Exception {
        second.server().follow(first.endpoint(), Node.REPLICATION, false);
        PasswordRules.checkReconnection(first, second);
    }

    @Test
    void what_replicas_were_given_to_get_in_where_programs_hold_all_connections_stays_and_is_not_logged()
            throws Exception {
        first.sql(
                "SET SESSION sql_log_bin = OFF",
                "GRANT BACKUP_ADMIN ON *.* TO replication",
                "SET SESSION sql_log_bin = ON");
        Position before = first.state().history();

        first.server().admitReplicas(Node.REPLICATION);
        first.server().createAccounts(Node.ACCOUNTS);

        assertThat(first.state().history()).isEqualTo(before);
        assertThat(first.sql("SHOW GRANTS FOR replication"))
                .extracting(row -> row.only().orElse(""))
                .anyMatch(grant -> grant.startsWith("GRANT BACKUP_ADMIN,SERVICE_CONNECTION_ADMIN ON *.* TO "));
    }

    @Test
    void programs_may_all_in_their_database_and_nothing_elsewhere_nor_on_a_read_only_server() throws Exception {
        ProgramRules.check(first);
    }

    @Test
    void programs_lose_what_they_may_everywhere_and_keep_what_somebody_gave_them_elsewhere() throws Exception {
        ProgramRules.checkCorrection(first);
    }

    @Test
    void what_came_from_another_server_is_not_forgotten() throws Exception {
        first.sql("CREATE USER guest@'%'");
        second.server().follow(first.endpoint(), Node.REPLICATION, false);
        Position written = first.state().history();
        assertThat(second.server().awaitApplied(written, PATIENCE)).isTrue();
        second.server().stopFollowing();

        second.server().forgetBirth();
        assertThat(second.state().history()).isEqualTo(written);
        first.sql("DROP USER guest@'%'");
    }

    @Test
    void a_server_that_was_seeded_follows_from_there() throws Exception {
        shop(first);
        Position dumped = first.state().history();
        third.server().seed(first.state().history().upTo(dumped).text());
        assertThat(third.state().history()).isEqualTo(dumped);
        assertThat(third.state().own().isEmpty()).isTrue();

        first.sql("CREATE DATABASE later");
        third.server().follow(first.endpoint(), Node.REPLICATION, false);
        assertThat(third.server().awaitApplied(first.state().history(), PATIENCE))
                .isTrue();
        assertThat(third.sql("SHOW DATABASES LIKE 'later'")).hasSize(1);
        assertThat(third.sql("SHOW DATABASES LIKE 'shop'")).isEmpty();
    }
}
