package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that was the primary, has lost its data, and was given a copy from before its last writes: whether it gets
 * these from another, on real servers.
 */
class OwnTransactionsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    private Vertx vertx;
    private Node source;
    private Node replica;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
    }

    @AfterEach
    void stop() {
        source.close();
        replica.close();
        vertx.close().await();
    }

    /** Up to when the replica follows what has its lost write and a newer one. */
    private void begin(Product product, String... options) throws Exception {
        source = Node.start(product, vertx, folder, 171, options);
        replica = Node.start(product, vertx, folder, 172, options);
        for (Node node : new Node[] {source, replica}) {
            node.server().makeReadOnly();
            node.server().erase();
            node.server().createAccounts(Node.ACCOUNTS);
        }
        replica.server().makeWritable();
        replica.sql("CREATE DATABASE kept");
        Position copied = replica.state().history();
        replica.sql("CREATE DATABASE lost");
        source.server().follow(replica.endpoint(), Node.REPLICATION, false);
        assertThat(source.server().awaitApplied(replica.state().history(), PATIENCE))
                .isTrue();
        source.server().stopFollowing();
        replica.server().makeReadOnly();
        replica.server().erase();
        replica.server().createAccounts(Node.ACCOUNTS);
        replica.server().seed(source.state().history().upTo(copied).text());
        source.server().makeWritable();
        source.sql("CREATE DATABASE newer");
        replica.server().follow(source.endpoint(), Node.REPLICATION, false);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(replica.sql("SHOW DATABASES LIKE 'newer'"))
                        .as(replica.state().toString())
                        .hasSize(1));
    }

    private Position missing() throws Exception {
        return source.state().history().minus(replica.state().history());
    }

    private boolean hasLostDatabase() throws Exception {
        return !replica.sql("SHOW DATABASES LIKE 'lost'").isEmpty();
    }

    @Test
    @EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMySql", disabledReason = Product.NEEDS_MYSQL)
    void mysql_gives_it_all_with_the_option_of_our_files() throws Exception {
        begin(Product.MYSQL, "replicate_same_server_id=ON");

        assertThat(missing().isEmpty()).as(missing().text()).isTrue();
        assertThat(hasLostDatabase()).isTrue();
    }

    @Test
    @EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMySql", disabledReason = Product.NEEDS_MYSQL)
    void mysql_passes_over_its_own_without_that_and_says_nothing() throws Exception {
        begin(Product.MYSQL);

        assertThat(missing().isEmpty()).isFalse();
        assertThat(hasLostDatabase()).isFalse();
        assertThat(replica.replication().io()).isEqualTo(Replication.Io.YES);
        assertThat(replica.replication().sqlRunning()).isTrue();
    }

    @Test
    @EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMariaDb", disabledReason = Product.NEEDS_MARIADB)
    void mariadb_gives_it_all_where_it_is_semi_synchronous() throws Exception {
        begin(Product.MARIADB, "rpl_semi_sync_slave_enabled=ON");

        assertThat(missing().isEmpty()).as(missing().text()).isTrue();
        assertThat(hasLostDatabase()).isTrue();
    }

    @Test
    @EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMariaDb", disabledReason = Product.NEEDS_MARIADB)
    void mariadb_passes_over_its_own_else_and_only_its_binary_log_tells() throws Exception {
        begin(Product.MARIADB);

        assertThat(hasLostDatabase()).isFalse();
        assertThat(replica.replication().io()).isEqualTo(Replication.Io.YES);
        assertThat(replica.replication().sqlRunning()).isTrue();
        assertThat(replica.state().applied().contains(source.state().history().minus(missing())))
                .isTrue();
        assertThat(missing().notBy(replica.state().writer()).isEmpty()).isTrue();
        assertThat(missing().isEmpty()).isFalse();
    }
}
