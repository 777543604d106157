package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.v1alpha1.ClaimRef;
import io.busbar.operator.mysqlcluster.v1alpha1.LastBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.VerificationStatus;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@WithDatabases
@Order(EndToEnd.LONG)
class MySQLBackupIT {

    @TempDir
    private Path storage;

    private final Cluster cluster;
    private final Databases databases;
    private final BackupsOfOrders backups;

    MySQLBackupIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
        this.backups = new BackupsOfOrders(cluster, databases);
    }

    @Test
    void puts_back_what_was_there_in_place_and_into_a_new_cluster() {
        databases.create("db", "size: 2, " + place());
        databases.running("db", 2);
        backups.fill("db");
        databases.query("db", "db-0", "CREATE USER app@'%' IDENTIFIED BY 'app'");
        String sum = databases.query("db", "db-0", BackupsOfOrders.SUM).get(0);
        MySQLBackupStatus backup = backups.make("db", "first", "");
        assertThat(backup.source()).isEqualTo("db-1");
        assertThat(backup.gtid())
                .matches(databases.product() == Product.MARIADB ? "0-100-[0-9]+" : "[-0-9a-f]{36}:1-[0-9]+");
        assertThat(storage.resolve(Objects.requireNonNull(backup.file())))
                .hasSize(Objects.requireNonNull(backup.sizeBytes()));
        databases.eventually(() -> {
            assertThat(databases.condition("db", "BackupHealthy")).isEqualTo("True Complete");
            assertThat(Objects.requireNonNull(databases.status("db").lastBackup())
                            .name())
                    .isEqualTo("first");
        });

        databases.query("db", "db-0", "DELETE FROM shop.orders WHERE id < 3");
        databases.query("db", "db-0", "CREATE DATABASE later");
        databases.query("db", "db-0", "DROP USER app@'%'");
        backups.restore("db", "first", "back");
        databases.eventually(() -> assertThat(backups.phase("back")).isEqualTo("Complete"));
        databases.running("db", 2);
        for (String member : List.of("db-0", "db-1")) {
            assertThat(databases.query("db", member, BackupsOfOrders.SUM)).containsExactly(sum);
            assertThat(databases.query("db", member, "SHOW DATABASES")).doesNotContain("later");
            assertThat(databases.query("db", member, "SELECT User FROM mysql.user"))
                    .contains("app");
        }
        databases.query("db", "db-0", "INSERT INTO shop.orders VALUES (9, 'nine')");
        databases.eventually(() -> assertThat(databases.query("db", "db-1", "SELECT COUNT(*) FROM shop.orders"))
                .containsExactly("4"));
        databases.awaitEvents("db", "BackupCompleted", "Restored");
        assertThat(cluster.get(MySQLCluster.class, "db").getMetadata().getAnnotations())
                .doesNotContainKey("database.example.com/restoring");

        databases.create("copy", "size: 2, bootstrapFrom: {backupName: first}");
        databases.running("copy", 2);
        for (String member : List.of("copy-0", "copy-1")) {
            assertThat(databases.query("copy", member, BackupsOfOrders.SUM)).containsExactly(sum);
        }
        databases.awaitEvents("copy", "Restored");
    }

    @Test
    void keeps_a_backup_on_a_volume_and_verifies_it_and_puts_it_back_from_there() {
        cluster.create(PersistentVolumeClaim.class, """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: backups, namespace: %s}
                spec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}
                """.formatted(cluster.namespace()));
        databases.create("vol", "size: 1, backup: {storage: {pvc: {claimName: backups}}}");
        databases.running("vol", 1);
        backups.fill("vol");
        String sum = databases.query("vol", "vol-0", BackupsOfOrders.SUM).get(0);
        MySQLBackupStatus backup = backups.make("vol", "kept", "");
        assertThat(Objects.requireNonNull(backup.storage()).pvc()).isEqualTo(new ClaimRef("backups"));

        cluster.annotate(cluster.get(MySQLBackup.class, "kept"), "database.example.com/verify", "now");
        databases.eventually(
                () -> assertThat(Objects.requireNonNull(backups.status("kept").verification()))
                        .extracting(VerificationStatus::phase, VerificationStatus::request)
                        .containsExactly("Verified", "now"));
        databases.query("vol", "vol-0", "DELETE FROM shop.orders WHERE id < 3");
        backups.restore("vol", "kept", "from-volume");
        databases.eventually(() -> assertThat(backups.phase("from-volume"))
                .as(backups.message("from-volume"))
                .isEqualTo("Complete"));
        databases.running("vol", 1);
        assertThat(databases.query("vol", "vol-0", BackupsOfOrders.SUM)).containsExactly(sum);
    }

    @Test
    void changes_nothing_when_the_file_is_not_what_it_was() throws IOException {
        databases.create("safe", "size: 1, " + place());
        databases.running("safe", 1);
        backups.fill("safe");
        Path file = storage.resolve(
                Objects.requireNonNull(backups.make("safe", "spoilt", "").file()));
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);

        backups.restore("safe", "spoilt", "refused");
        databases.eventually(() -> assertThat(backups.phase("refused")).isEqualTo("Failed"));
        assertThat(backups.message("refused")).contains("is not what it was").contains("nothing was changed");
        databases.query("safe", "safe-0", "INSERT INTO shop.orders VALUES (9, 'nine')");
        assertThat(databases.status("safe").phase()).isEqualTo("Running");

        databases.create("never", "size: 1, bootstrapFrom: {backupName: spoilt}");
        databases.eventually(() -> {
            assertThat(databases.condition("never", "Degraded")).isEqualTo("True RestoreFailed");
            assertThat(databases.message("never", "Degraded")).contains("is not what it was");
        });
        assertThat(databases.labelled("never", "primary")).isEmpty();
    }

    @Test
    void takes_nothing_for_a_backup_of_one_that_was_killed_half_way_and_says_what_to_do() {
        databases.create("cut", "size: 1, " + place());
        databases.running("cut", 1);
        databases.query("cut", "cut-0", "CREATE DATABASE shop");
        databases.query(
                "cut",
                "cut-0",
                "CREATE TABLE shop.orders (id INT PRIMARY KEY, note TEXT)"
                        + " SELECT ROW_NUMBER() OVER () AS id, SHA2(RAND(), 512) AS note"
                        + " FROM information_schema.COLLATIONS one, information_schema.COLLATIONS other LIMIT 20000");
        databases.query("cut", "cut-0", "CREATE TABLE shop.remainder (id INT)");
        Path file = storage.resolve("cut/killed.sql.gz");
        Path half = storage.resolve("cut/.killed.sql.gz.partial");
        try (SqlClient holder = databases.connect("cut", "cut-0")) {
            holder.query("LOCK TABLES shop.remainder WRITE");
            backups.begin("cut", "killed", "");
            databases.eventually(() -> assertThat(whatTheDumpWaitsFor(holder)).contains("remainder"));
            assertThat(half).isNotEmptyFile();
            databases.ofJob("killed-backup").kill();
        }

        databases.eventually(() -> assertThat(backups.status("killed").phase()).isEqualTo("Failed"));
        assertThat(Conditions.isTrue(backups.status("killed").conditions(), "Failed"))
                .isTrue();
        assertThat(backups.status("killed").message())
                .contains("killed by signal 9")
                .contains("nothing of it counts")
                .contains("make another MySQLBackup");
        assertThat(backups.status("killed").file()).isNull();
        assertThat(file).doesNotExist();
        databases.eventually(() -> {
            databases.awaitEvents("killed", "BackupFailed");
            databases.awaitEvents("cut", "BackupFailed");
            assertThat(databases.condition("cut", "BackupHealthy")).isEqualTo("False Failed");
        });
        assertThat(databases.message("cut", "BackupHealthy")).contains("make another MySQLBackup");
        backups.restore("cut", "killed", "torn");
        databases.eventually(() -> assertThat(backups.phase("torn")).isEqualTo("Failed"));
        assertThat(backups.message("torn"))
                .contains("MySQLBackup killed has failed")
                .contains("name one that is Complete");
        databases.create("torn", "size: 1, bootstrapFrom: {backupName: killed}");
        databases.eventually(
                () -> assertThat(databases.condition("torn", "Degraded")).isEqualTo("True BackupFailed"));

        MySQLBackupStatus later = backups.make("cut", "later", "");
        assertThat(storage.resolve(String.valueOf(later.file()))).isNotEmptyFile();
        assertThat(half).doesNotExist();
        databases.eventually(
                () -> assertThat(databases.condition("cut", "BackupHealthy")).isEqualTo("True Complete"));
        String sum = databases.query("cut", "cut-0", BackupsOfOrders.SUM).get(0);
        backups.restore("cut", "later", "whole");
        databases.eventually(() -> assertThat(backups.phase("whole")).isEqualTo("Complete"));
        databases.running("cut", 1);
        assertThat(databases.query("cut", "cut-0", BackupsOfOrders.SUM)).containsExactly(sum);
    }

    /**
     * One of MySQL locks all tables before it begins, and is let through then; from then on the table is locked before
     * it gets there.
     */
    private String whatTheDumpWaitsFor(SqlClient holder) {
        String waiting = String.join(
                "",
                databases.query(
                        "cut",
                        "cut-0",
                        "SELECT INFO FROM information_schema.PROCESSLIST"
                                + " WHERE USER = 'busbar_operator' AND STATE LIKE 'Waiting for%'"));
        if (waiting.startsWith("FLUSH")) {
            holder.query("LOCK TABLES shop.remainder WRITE");
        }
        return waiting;
    }

    @Test
    void makes_up_for_runs_that_were_missed_and_keeps_no_more_backups_than_it_is_told() {
        databases.create(
                "timed", "size: 1, backup: {schedule: '0 0 1 1 *', keep: 1, storage: {hostPath: " + storage + "}}");
        databases.running("timed", 1);
        databases.eventually(
                () -> assertThat(databases.status("timed").nextBackupTime()).endsWith("-01-01T00:00:00Z"));
        missARun("timed", "2020-01-01");
        databases.eventually(() -> assertThat(lastBackup("timed")).matches("timed-20[0-9]{2}0101-0000"));
        String first = lastBackup("timed");
        Path file = storage.resolve("timed/" + first + ".sql.gz");
        assertThat(file).exists();
        databases.awaitEvents("timed", "BackupScheduled", "BackupCompleted");
        assertThat(cluster.get(MySQLBackup.class, first).getMetadata().getOwnerReferences())
                .isEmpty();

        cluster.patch(cluster.get(MySQLCluster.class, "timed"), "{\"spec\":{\"backup\":{\"schedule\":\"0 0 1 2 *\"}}}");
        databases.eventually(
                () -> assertThat(databases.status("timed").nextBackupTime()).endsWith("-02-01T00:00:00Z"));
        missARun("timed", "2020-02-01");
        databases.eventually(() -> assertThat(lastBackup("timed")).matches("timed-20[0-9]{2}0201-0000"));
        databases.eventually(() -> {
            assertThat(cluster.resource(MySQLBackup.class, first).get()).isNull();
            assertThat(file).doesNotExist();
        });
    }

    @Test
    void makes_no_backups_while_the_schedule_rests_and_drops_those_that_are_too_old() {
        databases.create(
                "aged",
                "size: 1, backup: {schedule: '0 0 1 1 *', keep: 5, keepDays: 30, storage: {hostPath: " + storage
                        + "}}");
        databases.running("aged", 1);
        databases.eventually(
                () -> assertThat(databases.status("aged").nextBackupTime()).endsWith("-01-01T00:00:00Z"));
        missARun("aged", "2020-01-01");
        databases.eventually(() -> assertThat(lastBackup("aged")).endsWith("0101-0000"));
        String first = lastBackup("aged");
        MySQLBackupStatus made = backups.status(first);

        cluster.patch(cluster.get(MySQLCluster.class, "aged"), "{\"spec\":{\"backup\":{\"suspend\":true}}}");
        databases.eventually(
                () -> assertThat(databases.status("aged").nextBackupTime()).isNull());
        completedLongAgo(first);
        cluster.patch(
                cluster.get(MySQLCluster.class, "aged"),
                "{\"spec\":{\"backup\":{\"suspend\":false,\"schedule\":\"0 0 1 2 *\"}}}");
        databases.eventually(
                () -> assertThat(databases.status("aged").nextBackupTime()).endsWith("-02-01T00:00:00Z"));
        assertThat(cluster.resource(MySQLBackup.class, first).get())
                .as("the last one stays, however old it is")
                .isNotNull();
        assertThat(databases.told("aged", "BackupScheduled"))
                .as("runs before the schedule rested")
                .isEqualTo(1);

        missARun("aged", "2020-02-01");
        databases.eventually(() -> assertThat(lastBackup("aged")).endsWith("0201-0000"));
        databases.eventually(() -> {
            assertThat(cluster.resource(MySQLBackup.class, first).get()).isNull();
            assertThat(storage.resolve(String.valueOf(made.file()))).doesNotExist();
        });
    }

    private void completedLongAgo(String backup) {
        cluster.resource(MySQLBackup.class, backup)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\":{\"completionTime\":\"2020-01-01T00:00:00Z\"}}");
    }

    private void missARun(String name, String day) {
        cluster.resource(MySQLCluster.class, name)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\":{\"nextBackupTime\":\"" + day + "T00:00:00Z\"}}");
    }

    /** Empty before there was one. */
    private String lastBackup(String name) {
        LastBackup last = databases.status(name).lastBackup();
        return last == null ? "" : last.name();
    }

    @Test
    void says_what_is_missing() {
        databases.create("bare", "size: 1");
        backups.begin("bare", "nowhere", "");
        databases.eventually(() ->
                assertThat(backups.status("nowhere").message()).isNotNull().contains("pvc.claimName, hostPath or s3"));
        assertThat(backups.status("nowhere").phase()).isEqualTo("Failed");
        databases.running("bare", 1);
        backups.restore("bare", "absent", "hopeless");
        databases.eventually(() -> assertThat(backups.phase("hopeless")).isEqualTo("Failed"));
        assertThat(backups.message("hopeless")).contains("there is no MySQLBackup absent");
    }

    private String place() {
        return "backup: {storage: {hostPath: " + storage + "}}";
    }
}
