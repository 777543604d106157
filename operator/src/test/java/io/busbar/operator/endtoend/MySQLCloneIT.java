package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Servers copy one another's data files, as only MySQL's can; a dump is taken where they cannot. */
@WithDatabases(Product.MYSQL)
class MySQLCloneIT {

    private static final String COPIES = "SELECT STATE FROM performance_schema.clone_status";

    private final Cluster cluster;
    private final Databases databases;

    MySQLCloneIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    private void begin(String name, String spec, String engine) {
        databases.create(name, spec);
        databases.running(name, 2);
        databases.query(name, name + "-0", "CREATE DATABASE shop");
        databases.query(
                name, name + "-0", "CREATE TABLE shop.orders (id INT AUTO_INCREMENT PRIMARY KEY) ENGINE = " + engine);
        databases.query(name, name + "-0", "CREATE EVENT shop.sweep ON SCHEDULE EVERY 1 HOUR DO SET @swept = 1");
        write(name);
    }

    private void write(String name) {
        databases.query(name, name + "-0", "INSERT INTO shop.orders () VALUES ()");
    }

    private void assertHasAll(String name, String pod) {
        databases.eventually(() -> assertThat(databases.query(name, pod, "SELECT COUNT(*) FROM shop.orders"))
                .isEqualTo(databases.query(name, name + "-0", "SELECT COUNT(*) FROM shop.orders")));
    }

    @Test
    void a_new_member_and_a_diverged_one_copy_data_files_over_TLS_while_the_primary_is_written_to() {
        begin("filed", "size: 2, replication: {semiSync: true}, tls: {mode: Required}", "InnoDB");
        long before = databases.told("filed", "MemberRecloned");
        cluster.patch(cluster.get(MySQLCluster.class, "filed"), "{\"spec\":{\"size\":3}}");
        databases.eventually(() -> {
            write("filed");
            assertThat(databases.told("filed", "MemberRecloned")).isGreaterThan((int) before);
        });
        databases.running("filed", 3);
        assertThat(databases.query("filed", "filed-2", COPIES)).containsExactly("Completed");
        assertHasAll("filed", "filed-2");
        assertThat(databases.query("filed", "filed-2", "SELECT STATUS FROM information_schema.EVENTS"))
                .containsExactly("REPLICA_SIDE_DISABLED");

        databases.writePastReadOnly("filed", "filed-1", "CREATE DATABASE mine");
        Databases.within(Duration.ofMinutes(4), () -> {
            write("filed");
            assertThat(databases.query("filed", "filed-1", COPIES))
                    .as("%s", databases.status("filed"))
                    .containsExactly("Completed");
            assertThat(databases.query("filed", "filed-1", "SHOW DATABASES")).doesNotContain("mine");
        });
        databases.running("filed", 3);
        assertHasAll("filed", "filed-1");
        assertThat(databases.events("filed")).doesNotContain("CloneFailed");
        assertThat(databases.query("filed", "filed-1", "SELECT @@GLOBAL.super_read_only"))
                .containsExactly("1");
    }

    @Test
    void a_dump_is_taken_where_tables_would_arrive_empty() {
        begin("dumped", "size: 2", "MyISAM");

        databases.server("dumped-1").loseData();

        databases.eventually(() -> assertThat(databases.events("dumped")).contains("CloneFailed", "MemberRecloned"));
        databases.running("dumped", 2);
        assertHasAll("dumped", "dumped-1");
    }
}
