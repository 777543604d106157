package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.Product;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The same with servers of MySQL, and what only they have. */
@WithDatabases(Product.MYSQL)
@Order(EndToEnd.LONG)
class MySQLClusterOnMySqlIT extends MySQLClusterIT {

    private final Databases databases;

    MySQLClusterOnMySqlIT(Cluster cluster, Databases databases) {
        super(cluster, databases);
        this.databases = databases;
    }

    @Test
    void loses_nothing_with_the_primary_and_a_replica_where_two_acknowledge() throws Exception {
        databases.create(
                "pair", "size: 3, failover: {delaySeconds: 1}, replication: {semiSync: true, acknowledgements: 2}");
        databases.running("pair", 3);
        databases.query("pair", "pair-0", "CREATE DATABASE shop");
        databases.query("pair", "pair-0", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");

        databases.server("pair-2").freeze();
        CompletableFuture<List<String>> second = CompletableFuture.supplyAsync(
                () -> databases.query("pair", "pair-0", "INSERT INTO shop.orders VALUES (1)"));
        databases.eventually(() -> assertThat(databases.query(
                        "pair",
                        "pair-0",
                        "SELECT VARIABLE_VALUE FROM performance_schema.global_status"
                                + " WHERE VARIABLE_NAME = 'Rpl_semi_sync_source_wait_sessions'"))
                .containsExactly("1"));
        assertThat(second).as("one replica is not enough").isNotDone();
        databases.server("pair-2").thaw();
        second.get(1, TimeUnit.MINUTES);
        databases.running("pair", 3);

        databases.server("pair-0").hold();
        databases.server("pair-1").hold();
        databases.eventually(
                () -> assertThat(databases.status("pair").currentPrimary()).isEqualTo("pair-2"));
        databases.eventually(() -> assertThat(databases.query("pair", "pair-2", "SELECT id FROM shop.orders"))
                .containsExactly("1"));

        databases.server("pair-0").release();
        databases.server("pair-1").release();
        databases.running("pair", 3);
        databases.query("pair", "pair-2", "INSERT INTO shop.orders VALUES (2)");
        for (String member : databases.status("pair").nodes()) {
            databases.eventually(() -> assertThat(databases.query("pair", member, "SELECT id FROM shop.orders"))
                    .containsExactly("1", "2"));
        }
    }
}
