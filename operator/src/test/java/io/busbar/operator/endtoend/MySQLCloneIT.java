package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Servers copy one another's data files; a dump is taken where they cannot. */
@WithDatabases
class MySQLCloneIT {

    private final Cluster cluster;
    final Databases databases;

    MySQLCloneIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @BeforeAll
    static void require_the_tools() {
        assumeThat(Path.of("/usr/bin/mariadb-backup"))
                .as("MariaDB's servers copy files by mariadb-backup and socat")
                .exists();
        assumeThat(Path.of("/usr/bin/socat")).exists();
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

    /** That it was given the files, and no dump. */
    void assertHasFiles(String name, String pod) {
        assertThat(databases.notes(name, "MemberRecloned"))
                .as("where CloneFailed says %s", databases.notes(name, "CloneFailed"))
                .contains(pod + " has a copy of another member's data files")
                .noneMatch(note -> note.startsWith(pod + " has a copy of another member's data,"));
    }

    String statusOfStoppedEvents() {
        return "SLAVESIDE_DISABLED";
    }

    void assertTakesNoWrites(String name, String pod) {
        assertThat(databases.query(name, pod, "SELECT @@GLOBAL.read_only")).containsExactly("1");
    }

    /** Of a table whose rows do not come along. */
    String otherEngine() {
        return "MEMORY";
    }

    @Test
    void a_dump_is_taken_where_tables_would_arrive_empty() {
        begin("dumped", "size: 2", otherEngine());

        databases.server("dumped-1").loseData();

        databases.eventually(() -> assertThat(databases.events("dumped")).contains("CloneFailed", "MemberRecloned"));
        databases.running("dumped", 2);
        assertHasAll("dumped", "dumped-1");
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
        assertHasFiles("filed", "filed-2");
        assertHasAll("filed", "filed-2");
        assertThat(databases.query("filed", "filed-2", "SELECT STATUS FROM information_schema.EVENTS"))
                .containsExactly(statusOfStoppedEvents());

        databases.writePastReadOnly("filed", "filed-1", "CREATE DATABASE mine");
        Databases.within(Duration.ofMinutes(4), () -> {
            write("filed");
            assertHasFiles("filed", "filed-1");
            assertThat(databases.query("filed", "filed-1", "SHOW DATABASES")).doesNotContain("mine");
        });
        databases.running("filed", 3);
        assertHasAll("filed", "filed-1");
        assertThat(databases.events("filed")).doesNotContain("CloneFailed");
        assertTakesNoWrites("filed", "filed-1");
    }
}
