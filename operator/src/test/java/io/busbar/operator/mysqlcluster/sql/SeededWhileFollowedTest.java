package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.sql.Replication.Io;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The third follows the second, which nobody has told it to stop, while the second is given a copy of the first: on
 * real servers of MariaDB. What was copied is in no binary log of the second, so the third must get nothing from it.
 * MariaDB sees to that by itself.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMariaDb", disabledReason = Product.NEEDS_MARIADB)
class SeededWhileFollowedTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Vertx vertx = Vertx.vertx();
    private List<Node> nodes = List.of();
    private Node first;
    private Node second;
    private Node third;

    /** Has something done right before the first statement that begins so. For one thread. */
    private static final class Before implements Statements {

        private final Statements to;
        private final String beginning;
        private final ThrowingRunnable meanwhile;
        private boolean isDone;

        Before(Statements to, String beginning, ThrowingRunnable meanwhile) {
            this.to = to;
            this.beginning = beginning;
            this.meanwhile = meanwhile;
        }

        @Override
        public List<Row> query(String sql, Duration patience) throws SqlFailure, InterruptedException {
            if (!isDone && sql.startsWith(beginning)) {
                isDone = true;
                try {
                    meanwhile.run();
                } catch (Throwable failure) {
                    throw new AssertionError(failure);
                }
            }
            return to.query(sql, patience);
        }

        @Override
        public void secret(String kind, String sql) throws SqlFailure, InterruptedException {
            to.secret(kind, sql);
        }

        @Override
        public boolean isOpen() {
            return to.isOpen();
        }

        @Override
        public void close() {
            to.close();
        }
    }

    Product product() {
        return Product.MARIADB;
    }

    @BeforeAll
    void start(@TempDir Path folder) {
        nodes = Node.startAll(product(), vertx, folder, 151, 152, 153);
        first = nodes.get(0);
        second = nodes.get(1);
        third = nodes.get(2);
    }

    @AfterAll
    void stop() {
        nodes.forEach(Node::close);
        vertx.close().await();
    }

    @BeforeEach
    void from_scratch() throws Exception {
        for (Node node : nodes) {
            node.server().makeReadOnly();
            node.server().erase();
            node.server().createAccounts(Node.ACCOUNTS);
        }
        first.server().makeWritable();
        first.sql("CREATE DATABASE shop", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().ignoreExceptionsInstanceOf(SqlFailure.class)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(assertion);
    }

    private void applied(Node node) throws Exception {
        assertThat(node.server().awaitApplied(first.state().history(), PATIENCE))
                .isTrue();
    }

    /** With nothing, or with the first of three rows. */
    private void begin(boolean hasSome) throws Exception {
        if (hasSome) {
            first.sql("INSERT INTO shop.orders VALUES (1)");
            third.server().follow(first.endpoint(), Node.REPLICATION, false);
            applied(third);
            third.server().stopFollowing();
            first.sql("INSERT INTO shop.orders VALUES (2)");
        } else {
            first.sql("INSERT INTO shop.orders VALUES (1), (2)");
        }
    }

    private void thirdFollowsSecond() throws Exception {
        third.server().follow(second.endpoint(), Node.REPLICATION, false);
        eventually(() -> assertThat(third.replication().io())
                .as(third.replication().toString())
                .isEqualTo(Io.YES));
    }

    /** As a dump does, without its binary log. */
    private void load() throws Exception {
        second.sql(
                "SET SESSION sql_log_bin = OFF",
                "CREATE DATABASE shop",
                "CREATE TABLE shop.orders (id INT PRIMARY KEY)",
                "INSERT INTO shop.orders VALUES (1), (2)",
                "SET SESSION sql_log_bin = ON");
    }

    private void seed(String beginning, ThrowingRunnable meanwhile) throws Exception {
        try (DatabaseServer seeding = new ConnectedServer(second.endpoint(), Node.ROOT, () -> {
            try {
                return new Before(second.as(Node.ROOT), beginning, meanwhile);
            } catch (Exception failure) {
                throw new AssertionError(failure);
            }
        })) {
            seeding.seed(first.state().history().text());
        }
    }

    private void thirdGetsNothing() throws Exception {
        second.server().makeReadOnly();
        second.server().follow(first.endpoint(), Node.REPLICATION, false);
        first.sql("INSERT INTO shop.orders VALUES (3)");
        applied(second);
        assertThat(second.orders()).isEqualTo(3);

        eventually(() -> assertThat(third.replication().isRefusedBySource())
                .as("%s, at %s", third.replication(), third.state().history().text())
                .isTrue());
        assertThat(third.state().history().contains(first.state().history())).isFalse();
        assertThat(third.sql("SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'shop'"))
                .satisfiesAnyOf(
                        none -> assertThat(none).isEmpty(),
                        some -> assertThat(third.orders()).isEqualTo(1));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_replica_that_came_while_data_was_loaded_is_refused(boolean hasSome) throws Exception {
        begin(hasSome);
        thirdFollowsSecond();
        load();

        seed("nothing", () -> {});

        thirdGetsNothing();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_replica_that_comes_right_before_it_counts_as_complete_is_refused(boolean hasSome) throws Exception {
        begin(hasSome);
        load();
        seed("DROP DATABASE", () -> third.server().follow(second.endpoint(), Node.REPLICATION, false));

        thirdGetsNothing();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_replica_that_comes_before_the_position_is_set_is_refused(boolean hasSome) throws Exception {
        begin(hasSome);
        load();

        seed("SET GLOBAL gtid_", this::thirdFollowsSecond);

        thirdGetsNothing();
    }
}
