package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator, as a process, is killed in the middle of a restore. Sessions of the operator's account hold up what is to be interrupted: those
 * of others are ended when a restore begins.
 */
@WithDatabases
class MySQLRestoreIT {

    private static final String SUM = "SELECT CONCAT(COUNT(*), ' ', SUM(CRC32(CONCAT(id, note)))) FROM shop.orders";
    private static final String RESTORING = "database.example.com/restoring";

    @TempDir
    private static Path storage;

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
    void goes_on_with_data_that_is_half_there_and_ends_it_once() throws Exception {
        String sum = changedSinceABackup("back");
        String load;
        try (SqlClient holder = databases.connectAsOperator("back", "back-0")) {
            holder.query("LOCK TABLES mysql.servers READ");
            create(MySQLRestore.class, "back-again", "clusterName: back, backupName: back-whole");
            databases.eventually(() -> assertThat(waiting("back-0")).contains("LOCK TABLES `servers` WRITE"));
            assertThat(databases.query("back", "back-0", "SHOW DATABASES"))
                    .contains("archive")
                    .doesNotContain("shop");
            load = loadJob();
            operator.killAndStart();
            anotherHasLookedAt("back");
            assertThat(databases.labelled("back", "primary")).isEmpty();
            assertThat(databases.query("back", "back-0", "SELECT @@GLOBAL.read_only"))
                    .containsExactly("1");
            assertThat(loadJob()).as("the Job goes on").isEqualTo(load);
            operator.end();
        }
        databases.eventually(() -> assertThat(
                        cluster.get(Job.class, "back-again-load").getStatus().getSucceeded())
                .isEqualTo(1));
        assertThat(loadJob()).isEqualTo(load);

        operator.killAndStart();
        isBackOnce("back", sum);
    }

    @Test
    void begins_anew_where_it_was_erasing_and_ends_it_once() throws Exception {
        String sum = changedSinceABackup("erased");
        try (SqlClient holder = databases.connectAsOperator("erased", "erased-0")) {
            holder.query("LOCK TABLES shop.orders READ");
            create(MySQLRestore.class, "erased-again", "clusterName: erased, backupName: erased-whole");
            databases.eventually(() -> assertThat(waiting("erased-0")).contains("DROP"));
            operator.killAndStart();
            anotherHasLookedAt("erased");
        }
        isBackOnce("erased", sum);
    }

    /** Two databases, of which one is dumped before the server's own and one after, and a user. @return the sum of the backup's orders */
    private String changedSinceABackup(String name) {
        databases.eventually(() -> databases.create(name, "size: 2, backup: {storage: {hostPath: " + storage + "}}"));
        databases.running(name, 2);
        String primary = name + "-0";
        databases.query(name, primary, "CREATE DATABASE archive");
        databases.query(name, primary, "CREATE TABLE archive.orders (id INT PRIMARY KEY)");
        databases.query(name, primary, "CREATE DATABASE shop");
        databases.query(name, primary, "CREATE TABLE shop.orders (id INT PRIMARY KEY, note TEXT)");
        databases.query(name, primary, "INSERT INTO shop.orders VALUES (1, 'one'), (2, 'two'), (3, 'three')");
        String sum = databases.query(name, primary, SUM).get(0);
        create(MySQLBackup.class, name + "-whole", "clusterName: " + name);
        databases.eventually(() -> assertThat(
                        cluster.get(MySQLBackup.class, name + "-whole").told().phase())
                .isEqualTo("Complete"));
        databases.query(name, primary, "DELETE FROM shop.orders WHERE id < 3");
        databases.query(name, primary, "CREATE DATABASE later");
        return sum;
    }

    private void isBackOnce(String name, String sum) {
        databases.eventually(() -> assertThat(
                        cluster.get(MySQLRestore.class, name + "-again").told().phase())
                .isEqualTo("Complete"));
        databases.running(name, 2);
        String primary = name + "-0";
        assertThat(databases.labelled(name, "primary")).containsExactly(primary);
        databases.query(name, primary, "INSERT INTO archive.orders VALUES (7)");
        for (String member : List.of(primary, name + "-1")) {
            assertThat(databases.query(name, member, SUM)).containsExactly(sum);
            assertThat(databases.query(name, member, "SHOW DATABASES")).doesNotContain("later");
            databases.eventually(() -> assertThat(databases.query(name, member, "SELECT id FROM archive.orders"))
                    .containsExactly("7"));
        }
        assertThat(databases.told(name, "RestoreStarted")).isEqualTo(1);
        databases.eventually(() -> assertThat(databases.told(name, "Restored")).isEqualTo(1));
        assertThat(cluster.get(MySQLCluster.class, name).getMetadata().getAnnotations())
                .doesNotContainKey(RESTORING);
        assertThat(cluster.resource(Job.class, name + "-again-load").get()).isNull();
    }

    /** A change of the spec that means nothing is seen by whoever looks after the cluster now. */
    private void anotherHasLookedAt(String name) {
        assertThat(cluster.get(MySQLCluster.class, name).getMetadata().getAnnotations())
                .containsEntry(RESTORING, name + "-again");
        databases.eventually(() -> cluster.patch(
                cluster.get(MySQLCluster.class, name), "{\"spec\":{\"failover\":{\"delaySeconds\":11}}}"));
        databases.eventually(() -> {
            MySQLCluster seen = cluster.get(MySQLCluster.class, name);
            assertThat(seen.told().observedGeneration())
                    .isEqualTo(seen.getMetadata().getGeneration());
            assertThat(seen.told().phase()).isEqualTo("Restoring");
        });
    }

    private String waiting(String pod) {
        return String.join(
                "\n",
                databases.query(
                        pod.substring(0, pod.lastIndexOf('-')),
                        pod,
                        "SELECT INFO FROM information_schema.PROCESSLIST"
                                + " WHERE USER = 'busbar_operator' AND STATE LIKE 'Waiting for%'"));
    }

    private String loadJob() {
        return cluster.get(Job.class, "back-again-load").getMetadata().getUid();
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
