package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@WithDatabases
class MySQLRolloutIT {

    private static final String DATA = "/var/lib/mysql/";
    private static final String COLUMN = "SELECT column_name FROM information_schema.columns"
            + " WHERE table_schema = 'mysql' AND table_name = 'proc' AND column_name = 'aggregate'";
    private static final String POSITION = "SELECT @@GLOBAL.gtid_current_pos";

    private final Cluster cluster;
    private final Databases databases;

    MySQLRolloutIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @Test
    void stops_at_the_canary_can_go_back_and_once_approved_goes_on_with_the_primary_last() {
        databases.create("staged", "size: 3, updateStrategy: {canary: {replicas: 1}}");
        databases.running("staged", 3);
        assertThat(connections("staged-0", "staged-1", "staged-2")).containsOnly("151");

        patch("staged", "{\"config\":{\"max_connections\":77}}");
        databases.eventually(
                () -> assertThat(databases.reason("staged", "Progressing")).isEqualTo("CanaryPaused"));
        assertThat(connections("staged-0", "staged-1", "staged-2")).containsExactly("151", "151", "77");
        patch("staged", "{\"config\":null}");
        databases.eventually(() -> assertThat(connections("staged-2")).containsExactly("151"));
        databases.running("staged", 3);

        patch("staged", "{\"config\":{\"max_connections\":88}}");
        databases.eventually(() -> {
            assertThat(connections("staged-2")).containsExactly("88");
            assertThat(databases.reason("staged", "Progressing")).isEqualTo("CanaryPaused");
        });
        cluster.annotate(
                cluster.get(MySQLCluster.class, "staged"),
                "database.example.com/promote-revision",
                databases.status("staged").updateRevision());
        databases.eventually(() ->
                assertThat(connections("staged-0", "staged-1", "staged-2")).containsOnly("88"));
        databases.running("staged", 3);
        assertThat(databases.status("staged").currentPrimary()).isEqualTo("staged-1");
        assertThat(databases.status("staged").failover().count())
                .as("failovers")
                .isZero();
        databases.awaitEvents("staged", "CanaryPaused", "RolloutCompleted", "SwitchoverCompleted");

        patch(
                "staged",
                "{\"config\":{\"max_connections\":99},"
                        + "\"updateStrategy\":{\"canary\":{\"replicas\":1,\"pauseSeconds\":1,\"autoPromote\":true}}}");
        databases.eventually(() ->
                assertThat(connections("staged-0", "staged-1", "staged-2")).containsOnly("99"));
        databases.running("staged", 3);
    }

    @Test
    void a_replica_that_alone_has_acknowledged_applies_that_before_it_is_restarted() {
        databases.create("drained", "size: 2, replication: {semiSync: true}");
        databases.running("drained", 2);
        databases.query("drained", "drained-0", "CREATE DATABASE shop");
        databases.query("drained", "drained-0", "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
        databases.eventually(() -> assertThat(databases.query("drained", "drained-1", "SHOW TABLES IN shop"))
                .containsExactly("orders"));
        String before = cluster.get(Pod.class, "drained-1").getMetadata().getUid();

        try (SqlClient holder = databases.connectAsOperator("drained", "drained-1")) {
            holder.query("LOCK TABLES shop.orders READ");
            databases.query("drained", "drained-0", "INSERT INTO shop.orders VALUES (1)");
            patch("drained", "{\"config\":{\"max_connections\":77}}");
            databases.eventually(
                    () -> assertThat(databases.reason("drained", "Progressing")).isEqualTo("MemberDraining"));
            assertThat(databases.message("drained", "Progressing")).contains("drained-1");
            assertThat(databases.query("drained", "drained-1", "SELECT id FROM shop.orders"))
                    .isEmpty();
            assertThat(cluster.get(Pod.class, "drained-1").getMetadata().getUid())
                    .isEqualTo(before);
        }
        databases.eventually(
                () -> assertThat(connections("drained-0", "drained-1")).containsOnly("77"));
        databases.running("drained", 2);
        for (String pod : List.of("drained-0", "drained-1")) {
            databases.eventually(() -> assertThat(databases.query("drained", pod, "SELECT id FROM shop.orders"))
                    .containsExactly("1"));
        }
        assertThat(databases.events("drained")).doesNotContain("FailoverStarted", "MemberDiverged");
    }

    @Test
    void a_newer_image_of_MariaDB_upgrades_the_tables_that_the_older_one_has_left() throws Exception {
        assumeTrue(databases.product() == Product.MARIADB, "MySQL upgrades its tables unasked");
        databases.create("aged", "size: 2, replication: {semiSync: true}");
        List<String> pods = databases.running("aged", 2).nodes();
        for (String pod : pods) {
            age(pod);
            assertThat(isUpgradeNeeded(pod)).as(pod).isTrue();
        }

        patch("aged", "{\"image\":\"" + databases.product().image() + ".99\"}");
        databases.eventually(() -> assertThat(databases.events("aged")).contains("SwitchoverCompleted"));
        databases.eventually(() -> assertThat(databases.events("aged")).contains("RolloutCompleted"));
        databases.running("aged", 2);

        for (String pod : pods) {
            assertThat(isUpgradeNeeded(pod)).as(pod).isFalse();
            assertThat(databases.query("aged", pod, COLUMN)).as(pod).containsExactly("aggregate");
            assertThat(Files.size(databases.server(pod).path(DATA + "system_mysql_backup_10.6.16-MariaDB.sql.zst")))
                    .as(pod)
                    .isPositive();
        }
        String primary = String.valueOf(databases.status("aged").currentPrimary());
        databases.query("aged", primary, "CREATE DATABASE shop");
        databases.query("aged", primary, "CREATE FUNCTION shop.one() RETURNS INT NO SQL RETURN 1");
        List<String> position = databases.query("aged", primary, POSITION);
        for (String pod : pods) {
            databases.eventually(() ->
                    assertThat(databases.query("aged", pod, POSITION)).as(pod).isEqualTo(position));
            assertThat(databases.query("aged", pod, "SELECT shop.one()")).containsExactly("1");
        }
        assertThat(databases.events("aged")).doesNotContain("MemberDiverged", "MemberRecloned", "FailoverStarted");
    }

    /** As 10.2 left them, which had no aggregates, though it says 10.6. */
    private void age(String pod) throws IOException {
        try (SqlClient client = databases.connect("aged", pod)) {
            client.query("SET SESSION sql_log_bin = OFF");
            client.query("ALTER TABLE mysql.proc DROP COLUMN `aggregate`");
            assertThat(client.query(COLUMN)).isEmpty();
        }
        Files.writeString(databases.server(pod).path(DATA + "mysql_upgrade_info"), "10.6.16-MariaDB");
    }

    /** The program ends with 0 where it is. */
    private boolean isUpgradeNeeded(String pod) throws InterruptedException {
        Process check = databases
                .server(pod)
                .exec(
                        "mariadb-upgrade",
                        "--no-defaults",
                        "--socket=/run/mysqld/mysqld.sock",
                        "--user=root",
                        "--password=" + databases.password("aged", "root-password"),
                        "--check-if-upgrade-is-needed");
        return check.waitFor() == 0;
    }

    @Test
    void has_more_members_when_they_are_busy_and_no_more_than_allowed() {
        databases.create(
                "busy",
                "autoscaling: {enabled: true, minReplicas: 1, maxReplicas: 2, metric: Connections,"
                        + " target: 3, cooldownSeconds: 0}");
        databases.running("busy", 1);
        List<SqlClient> users = Stream.generate(() -> databases.connect("busy", "busy-0"))
                .limit(10)
                .toList();

        databases.eventually(() -> assertThat(databases.status("busy").nodes()).containsExactly("busy-0", "busy-1"));
        databases.eventually(
                () -> assertThat(databases.condition("busy", "ScalingLimited")).isEqualTo("True TooManyReplicas"));
        databases.eventually(
                () -> assertThat(databases.status("busy").readyReplicas()).isEqualTo(2));
        assertThat(databases.status("busy").targetSize()).isEqualTo(2);
        users.forEach(SqlClient::close);
    }

    private List<String> connections(String... pods) {
        return List.of(pods).stream()
                .map(pod -> databases
                        .query(pod.substring(0, pod.lastIndexOf('-')), pod, "SELECT @@GLOBAL.max_connections")
                        .get(0))
                .toList();
    }

    private void patch(String name, String spec) {
        cluster.patch(cluster.get(MySQLCluster.class, name), "{\"spec\":" + spec + "}");
    }
}
