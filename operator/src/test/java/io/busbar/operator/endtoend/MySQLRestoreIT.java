package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.DatabasePod;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator, as a process, is killed in the middle of a restore. Sessions of the operator's account hold up what is
 * to be interrupted, for those of others are ended when a restore begins; the Job is frozen half-way, for MySQL tells
 * nobody of its databases while one of its own tables is locked.
 */
@WithDatabases(alone = true)
@Order(EndToEnd.LONG)
class MySQLRestoreIT {

    private static final String NAME = "back";
    private static final String PRIMARY = "back-0";
    private static final String REPLICA = "back-1";
    private static final String SUM = "SELECT CONCAT(COUNT(*), ' ', SUM(CRC32(CONCAT(id, note)))) FROM shop.orders";
    private static final String OF_OPERATOR =
            "SELECT INFO FROM information_schema.PROCESSLIST WHERE USER = 'busbar_operator' AND ";
    private static final String WAITING_FOR_TABLES = OF_OPERATOR + "STATE LIKE 'Waiting for%'";
    private static final String WAITING_TO_LOAD = OF_OPERATOR + "STATE = 'User lock'";

    @TempDir
    private Path storage;

    private final Cluster cluster;
    private final Databases databases;
    private KillableOperator operator;

    MySQLRestoreIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @BeforeEach
    void runs_the_jar_in_place_of_the_operator_in_this_jvm() throws IOException {
        cluster.running().stopOperator();
        operator = new KillableOperator(cluster.running(), storage.resolve("operator.log"));
    }

    @AfterEach
    void goes_back_to_the_operator_in_this_jvm() throws InterruptedException {
        operator.end();
        cluster.running().startOperator();
    }

    @Test
    void is_ended_once_though_the_operator_is_killed_while_it_erases_and_while_half_is_loaded() throws Exception {
        String sum = changedSinceABackup();
        try (Seen<Job> jobs = cluster.follow(Job.class)) {
            DatabasePod load;
            try (SqlClient before = databases.connectAsOperator(NAME, PRIMARY)) {
                before.query("SELECT GET_LOCK('" + DatabaseServer.MARK_OF_INCOMPLETE + "', 0)");
                try (SqlClient beginning = databases.connectAsOperator(NAME, PRIMARY)) {
                    beginning.query("LOCK TABLES shop.orders READ");
                    create(MySQLRestore.class, "again", "clusterName: back, backupName: whole");
                    databases.eventually(
                            () -> assertThat(query(WAITING_FOR_TABLES)).anyMatch(sql -> sql.startsWith("DROP")));
                    operator.killAndStart();
                    anotherHasLooked();
                }
                databases.eventually(() -> assertThat(query(WAITING_TO_LOAD)).hasSize(1));
                load = databases.ofJob("again-load");
            }
            freezeHalfWay(load);
            assertThat(query("SHOW DATABASES")).contains("archive");
            assertThat(cluster.get(Job.class, "again-load").getStatus().getSucceeded())
                    .as("ended already")
                    .isNull();
            assertThat(query("SELECT @@GLOBAL.read_only")).containsExactly("1");
            assertThat(databases.labelled(NAME, "primary")).isEmpty();
            operator.end();
            load.thaw();
            databases.eventually(() -> assertThat(
                            cluster.get(Job.class, "again-load").getStatus().getSucceeded())
                    .isEqualTo(1));
            operator.killAndStart();

            isBack(sum);
            assertThat(jobs.objects("again-load"))
                    .extracting(job -> job.getMetadata().getUid())
                    .as("Jobs that loaded")
                    .containsOnly(
                            jobs.objects("again-load").get(0).getMetadata().getUid());
        }
        assertThat(databases.told(NAME, "RestoreStarted")).isEqualTo(1);
        databases.eventually(() -> assertThat(databases.told(NAME, "Restored")).isEqualTo(1));
    }

    /**
     * Two databases, of which one is loaded before the server's own and one after.
     *
     * @return the sum of the backup's orders
     */
    private String changedSinceABackup() {
        databases.eventually(() -> databases.create(NAME, "size: 2, backup: {storage: {hostPath: " + storage + "}}"));
        databases.running(NAME, 2);
        query("CREATE DATABASE archive");
        query("CREATE TABLE archive.orders (id INT PRIMARY KEY)");
        query("CREATE DATABASE shop");
        query("CREATE TABLE shop.orders (id INT PRIMARY KEY, note TEXT)");
        query("INSERT INTO shop.orders VALUES (1, 'one'), (2, 'two'), (3, 'three')");
        query(
                "INSERT INTO shop.orders WITH RECURSIVE n (id) AS (SELECT 4 UNION ALL SELECT id + 1 FROM n WHERE id < 600)"
                        + " SELECT id, REPEAT('x', 60000) FROM n");
        String sum = query(SUM).get(0);
        create(MySQLBackup.class, "whole", "clusterName: back");
        databases.eventually(() -> {
            MySQLBackupStatus told = cluster.get(MySQLBackup.class, "whole").told();
            assertThat(told.phase()).as("%s", told.message()).isEqualTo("Complete");
        });
        query("DELETE FROM shop.orders WHERE id < 3");
        query("CREATE DATABASE later");
        return sum;
    }

    /** The programs of a Job that loads, once the first of two databases is there. */
    private void freezeHalfWay(DatabasePod load) {
        try (SqlClient looking = databases.connectAsOperator(NAME, PRIMARY)) {
            long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
            while (!looking.query("SHOW DATABASES").contains("archive")) {
                assertThat(System.nanoTime() - deadline)
                        .as("2 minutes, and no archive")
                        .isNegative();
            }
        }
        load.freeze();
    }

    /** A change of the spec that means nothing here is seen by whoever looks after the cluster now. */
    private void anotherHasLooked() {
        databases.eventually(() -> cluster.patch(
                cluster.get(MySQLCluster.class, NAME), "{\"spec\":{\"failover\":{\"delaySeconds\":11}}}"));
        databases.eventually(() -> {
            MySQLCluster seen = cluster.get(MySQLCluster.class, NAME);
            assertThat(seen.told().observedGeneration())
                    .isEqualTo(seen.getMetadata().getGeneration());
            assertThat(seen.told().phase()).isEqualTo("Restoring");
        });
    }

    private void isBack(String sum) {
        databases.eventually(
                () -> assertThat(cluster.get(MySQLRestore.class, "again").told().phase())
                        .isEqualTo("Complete"));
        databases.running(NAME, 2);
        assertThat(databases.labelled(NAME, "primary")).containsExactly(PRIMARY);
        query("INSERT INTO archive.orders VALUES (7)");
        for (String member : List.of(PRIMARY, REPLICA)) {
            assertThat(databases.query(NAME, member, SUM)).containsExactly(sum);
            assertThat(databases.query(NAME, member, "SHOW DATABASES")).doesNotContain("later");
            databases.eventually(() -> assertThat(databases.query(NAME, member, "SELECT id FROM archive.orders"))
                    .containsExactly("7"));
        }
        assertThat(cluster.get(MySQLCluster.class, NAME).getMetadata().getAnnotations())
                .doesNotContainKey("database.example.com/restoring");
        assertThat(cluster.resource(Job.class, "again-load").get()).isNull();
    }

    private List<String> query(String sql) {
        return databases.query(NAME, PRIMARY, sql);
    }

    private void create(Class<? extends HasMetadata> type, String name, String spec) {
        cluster.create(type, """
                apiVersion: database.example.com/v1alpha1
                kind: %s
                metadata: {name: %s, namespace: %s}
                spec: {%s}
                """.formatted(type.getSimpleName(), name, cluster.namespace(), spec));
    }
}
