package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.sql.Replication.Io;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Three real servers, empty before each test: 101 is the source at first, 102 and 103 follow it. */
@EnabledIf(
        value = "io.busbar.operator.mysqlcluster.bed.Product#hasMariaDb",
        disabledReason = "mariadbd is not installed")
class MariaDbReplicationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

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
        nodes = Node.startAll(Product.MARIADB, vertx, folder, 101, 102, 103);
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
            if (!node.process().isAlive()) {
                node.restart();
            }
            node.server().makeReadOnly();
            node.server().erase();
            node.server().createAccounts(Node.ACCOUNTS);
        }
        first.server().makeWritable();
        first.sql(
                "CREATE DATABASE shop",
                "CREATE TABLE shop.orders (id INT PRIMARY KEY)",
                "INSERT INTO shop.orders VALUES (1)");
    }

    private static void follow(Node source, boolean own, Node... replicas) throws Exception {
        for (Node replica : replicas) {
            replica.server().follow(source.endpoint(), Node.REPLICATION, own);
        }
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().ignoreExceptionsInstanceOf(SqlFailure.class)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(assertion);
    }

    @Test
    void a_replica_has_what_its_source_wrote_and_says_so() throws Exception {
        follow(first, false, second);
        Position written = first.state().history();

        assertThat(second.server().awaitApplied(written, PATIENCE)).isTrue();
        assertThat(second.orders()).isEqualTo(1);
        ServerState state = second.state();
        assertThat(state.flavor()).isEqualTo(ServerState.Flavor.MARIADB);
        assertThat(state.version()).contains("MariaDB");
        assertThat(state.serverId()).isEqualTo(102);
        assertThat(state.readOnly()).isTrue();
        assertThat(state.history()).isEqualTo(written);
        assertThat(state.applied()).isEqualTo(written);
        assertThat(state.own().isEmpty()).isTrue();
        assertThat(state.isBlank()).isFalse();
        eventually(() -> {
            Replication replication = second.replication();
            assertThat(replication.io()).isEqualTo(Io.YES);
            assertThat(replication.sqlRunning()).isTrue();
            assertThat(replication.source()).isEqualTo(first.endpoint());
            assertThat(replication.lag()).contains(Duration.ZERO);
            assertThat(replication.received()).isEqualTo(written);
        });
    }

    @Test
    void following_again_changes_nothing_while_it_runs_and_starts_it_when_not() throws Exception {
        follow(first, false, second);
        eventually(() -> assertThat(second.replication().io()).isEqualTo(Io.YES));
        String threads = threads(second);

        follow(first, false, second);
        assertThat(threads(second)).isEqualTo(threads);

        second.sql("STOP SLAVE");
        follow(first, false, second);
        eventually(() -> assertThat(second.replication().io()).isEqualTo(Io.YES));
        assertThat(threads(second)).isNotEqualTo(threads);
    }

    @Test
    void one_that_is_to_receive_nothing_more_applies_what_it_has_and_can_be_asked_how_far_it_came() throws Exception {
        follow(first, false, second);
        eventually(() -> assertThat(second.replication().io()).isEqualTo(Io.YES));
        Position received;
        try (DatabaseServer.Freeze standstill = second.server().freeze(PATIENCE)) {
            first.sql("INSERT INTO shop.orders VALUES (2)");
            received = first.state().history();
            eventually(() -> assertThat(second.replication().received()).isEqualTo(received));
            assertThat(received).isNotEqualTo(standstill.position());

            second.server().stopReceiving();
            second.server().stopReceiving();
            first.sql("INSERT INTO shop.orders VALUES (3)");
        }

        assertThat(second.server().awaitReceived(PATIENCE)).isTrue();
        assertThat(second.orders()).isEqualTo(2);
        assertThat(second.replication().received()).isEqualTo(received);
        assertThat(second.replication().io()).isEqualTo(Io.NO);
        assertThat(second.replication().isUnbegun()).isFalse();
        follow(first, false, second);
        eventually(() -> assertThat(second.orders()).isEqualTo(3));
    }

    private static String threads(Node node) throws Exception {
        return node.sql("SHOW PROCESSLIST").stream()
                .filter(row -> row.text("User").equals("system user"))
                .map(row -> row.text("Id"))
                .sorted()
                .toList()
                .toString();
    }

    @Test
    void a_changed_password_reaches_the_source_and_its_replicas() throws Exception {
        follow(first, false, second);
        Account changed = new Account("replication", "ch'an\\ged");
        first.server().createAccounts(new Accounts(Node.ROOT, Node.OPERATOR, changed, Optional.empty()));
        second.sql("STOP SLAVE IO_THREAD", "START SLAVE IO_THREAD");
        eventually(() -> assertThat(second.replication().ioErrno()).isEqualTo(1045));

        second.server().follow(first.endpoint(), changed, false);
        eventually(() -> assertThat(second.replication().io()).isEqualTo(Io.YES));
    }

    @Test
    void a_replica_goes_on_with_another_password() throws Exception {
        follow(first, false, second);
        PasswordRules.checkReconnection(first, second);
    }

    @Test
    void nobody_follows_after_it_was_told_to_stop() throws Exception {
        follow(first, false, second);
        second.server().stopFollowing();
        second.server().stopFollowing();
        assertThat(second.state().replication()).isEmpty();
    }

    @Test
    void fact_3_with_the_source_dead_a_replica_tries_to_connect_and_is_whole_all_the_same() throws Exception {
        follow(first, false, second);
        assertThat(second.server().awaitApplied(first.state().history(), PATIENCE))
                .isTrue();
        first.kill();
        eventually(() -> assertThat(second.replication().ioErrno()).isEqualTo(2003));

        Replication replication = second.replication();
        assertThat(replication.io()).isEqualTo(Io.CONNECTING);
        assertThat(replication.sqlRunning()).isTrue();
        assertThat(replication.sqlErrno()).isZero();
        assertThat(replication.lag()).isEmpty();
        assertThat(second.server().awaitReceived(PATIENCE)).isTrue();
    }

    @Test
    void fact_4_a_diverged_replica_has_as_high_a_number_but_shows_what_it_wrote_itself() throws Exception {
        follow(first, false, second, third);
        Position common = first.state().history();
        assertThat(second.server().awaitApplied(common, PATIENCE)).isTrue();
        assertThat(third.server().awaitApplied(common, PATIENCE)).isTrue();
        second.sql("INSERT INTO shop.orders VALUES (2)");
        second.sql("STOP SLAVE");
        first.sql("INSERT INTO shop.orders VALUES (3)");
        assertThat(third.server().awaitApplied(first.state().history(), PATIENCE))
                .isTrue();

        ServerState diverged = second.state();
        assertThat(diverged.history().transactions())
                .isEqualTo(first.state().history().transactions());
        assertThat(diverged.own().text()).isEqualTo("0-102-4");
        assertThat(first.state().history().contains(diverged.own())).isFalse();
        assertThat(third.state().own().isEmpty()).isTrue();
    }

    @Test
    void fact_5_a_former_source_rejoins_when_all_that_it_wrote_is_known() throws Exception {
        follow(first, false, second);
        assertThat(second.server().awaitApplied(first.state().history(), PATIENCE))
                .isTrue();
        first.kill();
        promote(second);
        second.sql("INSERT INTO shop.orders VALUES (2)");
        first.restart();
        assertThat(first.state().own().text()).isEqualTo("0-101-3");
        assertThat(second.state().history().contains(first.state().own())).isTrue();

        first.server().makeReadOnly();
        follow(second, true, first);
        assertThat(first.server().awaitApplied(second.state().history(), PATIENCE))
                .isTrue();
        assertThat(first.orders()).isEqualTo(2);
        assertThat(first.state().own().isEmpty()).isTrue();
    }

    @Test
    void fact_5_a_former_source_with_a_transaction_that_nobody_has_is_refused() throws Exception {
        follow(first, false, second);
        assertThat(second.server().awaitApplied(first.state().history(), PATIENCE))
                .isTrue();
        second.sql("STOP SLAVE");
        first.sql("INSERT INTO shop.orders VALUES (9)");
        promote(second);
        second.sql("INSERT INTO shop.orders VALUES (2)", "INSERT INTO shop.orders VALUES (3)");

        assertThat(second.state().history().contains(first.state().own())).isFalse();
        follow(second, true, first);
        eventually(() -> {
            Replication replication = first.replication();
            assertThat(replication.ioErrno()).isEqualTo(Replication.FATAL_ERROR_READING_BINLOG);
            assertThat(replication.io()).isEqualTo(Io.NO);
            assertThat(replication.ioError()).contains("diverged");
        });
    }

    private static void promote(Node node) throws Exception {
        node.server().stopFollowing();
        node.server().makeWritable();
    }

    @Test
    void fact_6_a_server_that_was_seeded_follows_and_can_be_promoted_later() throws Exception {
        follow(first, false, second);
        assertThat(second.server().awaitApplied(first.state().history(), PATIENCE))
                .isTrue();
        promote(second);
        second.sql("INSERT INTO shop.orders VALUES (2)");
        follow(second, true, first);
        Position dumped = second.state().applied().upTo(second.state().history());
        third.sql(
                "CREATE DATABASE shop",
                "CREATE TABLE shop.orders (id INT PRIMARY KEY)",
                "INSERT INTO shop.orders VALUES (1), (2)");
        third.server().seed(second.state().history().upTo(dumped).text());

        assertThat(third.state().history().text()).isEqualTo("0-101-3,0-102-4");
        assertThat(third.state().applied().text()).isEqualTo("0-102-4");
        assertThat(third.state().own().isEmpty()).isTrue();
        follow(second, false, third);
        assertThat(third.server().awaitApplied(second.state().history(), PATIENCE))
                .isTrue();

        promote(third);
        third.sql("INSERT INTO shop.orders VALUES (3)");
        follow(third, false, first);
        follow(third, true, second);
        for (Node replica : List.of(first, second)) {
            assertThat(replica.server().awaitApplied(third.state().history(), PATIENCE))
                    .isTrue();
            assertThat(replica.orders()).isEqualTo(3);
        }
    }

    @Test
    void fact_7_a_server_that_was_seeded_refuses_who_is_behind_where_its_log_begins() throws Exception {
        follow(first, false, second);
        assertThat(second.server().awaitApplied(first.state().history(), PATIENCE))
                .isTrue();
        promote(second);
        second.sql("INSERT INTO shop.orders VALUES (2)");
        third.sql(
                "CREATE DATABASE shop",
                "CREATE TABLE shop.orders (id INT PRIMARY KEY)",
                "INSERT INTO shop.orders VALUES (1), (2)");
        third.server().seed(second.state().history().text());
        promote(third);
        third.sql("INSERT INTO shop.orders VALUES (3)");

        follow(third, true, first);

        eventually(() -> {
            assertThat(first.replication().isRefusedBySource()).isTrue();
            assertThat(first.replication().ioErrno()).isEqualTo(Replication.FATAL_ERROR_READING_BINLOG);
        });
        assertThat(first.state().history().text()).isEqualTo("0-101-3");
        assertThat(third.state().history().contains(first.state().history())).isTrue();
        assertThat(first.orders()).isEqualTo(1);
    }

    @Test
    void fact_8_a_replica_that_waits_for_others_stops_to_apply_until_it_is_told_not_to() throws Exception {
        follow(first, false, second);
        assertThat(second.server().awaitApplied(first.state().history(), PATIENCE))
                .isTrue();
        second.sql("SET GLOBAL rpl_semi_sync_master_timeout = 4294967295");
        second.server().acknowledgeByReplicas(1);

        first.sql("INSERT INTO shop.orders VALUES (2)");

        Position written = first.state().history();
        eventually(() -> assertThat(second.sql("SELECT 1 FROM information_schema.PROCESSLIST"
                        + " WHERE STATE LIKE 'Waiting for semi-sync ACK%'"))
                .hasSize(1));
        assertThat(second.state().applied().contains(written)).isFalse();
        assertThat(second.state().acknowledgements()).isEqualTo(1);
        second.server().acknowledgeByReplicas(0);
        assertThat(second.server().awaitApplied(written, PATIENCE)).isTrue();
        assertThat(second.orders()).isEqualTo(2);
    }

    @Test
    void an_erased_server_has_neither_data_nor_history_and_can_follow_from_the_start() throws Exception {
        first.server().makeReadOnly();
        first.server().erase();
        first.server().erase();

        assertThat(first.state().isBlank()).isTrue();
        assertThat(first.sql("SHOW DATABASES LIKE 'shop'")).isEmpty();
        assertThat(first.sql("SELECT user FROM mysql.user WHERE user = 'operator'"))
                .hasSize(1);
    }

    @Test
    void waiting_ends_in_time_when_what_is_waited_for_does_not_come() throws Exception {
        follow(first, false, second);
        assertThat(second.server().awaitApplied(first.state().history(), PATIENCE))
                .isTrue();
        Position later = Position.of(ServerState.Flavor.MARIADB, "0-101-400");
        assertThat(second.server().awaitApplied(later, Duration.ofMillis(50))).isFalse();
        assertThat(first.server().awaitApplied(later, Duration.ofMillis(50))).isFalse();
        assertThat(first.server().awaitApplied(first.state().history(), Duration.ofMillis(50)))
                .isTrue();
    }

    @Test
    void waiting_for_what_was_received_waits_for_it_to_be_applied() throws Exception {
        follow(first, false, second);
        assertThat(second.server().awaitApplied(first.state().history(), PATIENCE))
                .isTrue();
        second.sql("LOCK TABLES shop.orders READ");
        first.sql("INSERT INTO shop.orders VALUES (2)");
        eventually(() -> assertThat(second.replication().received())
                .isEqualTo(first.state().history()));

        assertThat(second.server().awaitReceived(Duration.ofMillis(100))).isFalse();
        second.sql("UNLOCK TABLES");
        assertThat(second.server().awaitReceived(PATIENCE)).isTrue();
        assertThat(second.state().applied()).isEqualTo(first.state().history());
    }
}
