package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of events where another server is written to: on two real servers of MariaDB. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMariaDb", disabledReason = Product.NEEDS_MARIADB)
class ReplicatedEventsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String REST = "SELECT CONCAT_WS('|', EVENT_NAME, DEFINER, TIME_ZONE, EVENT_DEFINITION,"
            + " EVENT_TYPE, IFNULL(EXECUTE_AT, ''), IFNULL(INTERVAL_VALUE, ''), IFNULL(INTERVAL_FIELD, ''), SQL_MODE,"
            + " IFNULL(STARTS, ''), ON_COMPLETION, EVENT_COMMENT, CHARACTER_SET_CLIENT, COLLATION_CONNECTION,"
            + " DATABASE_COLLATION) AS rest FROM information_schema.EVENTS WHERE EVENT_SCHEMA LIKE 'shop%'"
            + " ORDER BY EVENT_NAME";
    private static final String STATUS =
            "SELECT CONCAT(EVENT_NAME, ' ', REPLACE(STATUS, 'REPLICA_SIDE', 'SLAVESIDE')) AS status"
                    + " FROM information_schema.EVENTS WHERE EVENT_SCHEMA LIKE 'shop%' ORDER BY EVENT_NAME";

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private Node first;
    private Node second;

    Product product() {
        return Product.MARIADB;
    }

    @BeforeEach
    void the_second_follows_the_first() throws Exception {
        List<Node> nodes = Node.startAll(product(), vertx, folder, 141, 142);
        first = nodes.get(0);
        second = nodes.get(1);
        for (Node node : nodes) {
            node.server().makeReadOnly();
            node.server().erase();
            node.server().createAccounts(Node.ACCOUNTS);
        }
        first.server().makeWritable();
        second.server().follow(first.endpoint(), Node.REPLICATION, false);
    }

    @AfterEach
    void stop() {
        Stream.of(first, second).forEach(Node::close);
        vertx.close().await();
    }

    private static List<String> ask(Node node, String sql, String column) throws Exception {
        return node.sql(sql).stream().map(row -> row.text(column)).toList();
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().ignoreExceptionsInstanceOf(SqlFailure.class)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(assertion);
    }

    @Test
    void the_server_that_is_written_to_runs_them_and_its_former_source_does_not() throws Exception {
        String[] all = {"hourly SLAVESIDE_DISABLED", "last one SLAVESIDE_DISABLED", "never SLAVESIDE_DISABLED"};
        String scheduler = "SELECT @@GLOBAL.event_scheduler AS scheduler";
        first.sql(
                "CREATE DATABASE shop",
                "CREATE DATABASE `shop``2`",
                "CREATE USER app@'10.%'",
                "SET SESSION sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT', time_zone = '+03:00'",
                "CREATE DEFINER = app@'10.%' EVENT shop.hourly ON SCHEDULE EVERY 1 HOUR STARTS '2030-01-01 00:00:00'"
                        + " COMMENT 'counts' DO SET @a = 'x' || 'y'",
                "CREATE DEFINER = app@'10.%' EVENT `shop``2`.`last one` ON SCHEDULE AT '2035-01-01 00:00:00'"
                        + " ON COMPLETION PRESERVE DO SET @a = 1",
                "CREATE EVENT shop.never ON SCHEDULE EVERY 1 DAY STARTS '2030-01-01 00:00:00' DISABLE DO SET @a = 2");
        List<String> rest = ask(first, REST, "rest");
        eventually(() -> assertThat(ask(second, STATUS, "status")).containsExactly(all));
        // Here it can no longer be told which one a user has disabled.
        StoppedEvents stopped = second.server().stoppedEvents();
        assertThat(stopped.byUser()).isEmpty();
        assertThat(stopped.byReplication())
                .containsExactlyInAnyOrder("`shop`.`hourly`", "`shop`.`never`", "`shop``2`.`last one`");
        List<String> disabled = first.server().stoppedEvents().byUser();
        assertThat(disabled).containsExactly("`shop`.`never`");
        List<String> before = ask(second, scheduler, "scheduler");

        first.server().makeReadOnly();
        second.server().stopFollowing();
        second.server().makeWritable();
        second.server().enableEvents(disabled);
        first.server().follow(second.endpoint(), Node.REPLICATION, true);

        assertThat(ask(second, STATUS, "status"))
                .containsExactly("hourly ENABLED", "last one ENABLED", "never DISABLED");
        eventually(() -> assertThat(ask(first, STATUS, "status")).containsExactly(all));
        assertThat(ask(second, REST, "rest")).isEqualTo(rest);
        assertThat(ask(first, REST, "rest")).isEqualTo(rest);
        assertThat(ask(second, scheduler, "scheduler")).isEqualTo(before);
        assertThat(second.server().stoppedEvents()).isEqualTo(new StoppedEvents(List.of(), disabled));
    }
}
