package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.s3.FaultyS3;
import io.busbar.operator.mysqlcluster.s3.S3Server;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@WithDatabases
@Order(EndToEnd.LONG)
class MySQLS3BackupIT {

    private final Cluster cluster;
    private final Databases databases;
    private final BackupsOfOrders backups;
    private S3Server server;
    private FaultyS3 s3;

    MySQLS3BackupIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
        this.backups = new BackupsOfOrders(cluster, databases);
    }

    @BeforeEach
    void start() throws Exception {
        server = S3Server.start();
        s3 = new FaultyS3(server.port());
        S3Access.create(cluster, "s3", S3Server.SECRET_ACCESS_KEY);
    }

    @AfterEach
    void stop() throws Exception {
        s3.close();
        server.close();
    }

    @Test
    void puts_back_what_was_there_in_place_and_into_a_new_cluster() throws Exception {
        databases.create("s3a", "size: 2, backup: {storage: " + storage("s3") + "}");
        databases.running("s3a", 2);
        backups.fill("s3a");
        databases.query("s3a", "s3a-0", "CREATE USER app@'%' IDENTIFIED BY 'app'");
        String sum = databases.query("s3a", "s3a-0", BackupsOfOrders.SUM).get(0);
        MySQLBackupStatus backup = backups.make("s3a", "first", "");
        String key = "mysql/" + cluster.namespace() + "/s3a/first.sql.gz";
        assertThat(backup.file()).isEqualTo(key);
        assertThat(backup.storage()).isNotNull();
        assertThat(backup.gtid()).isNotEmpty();
        assertThat(server.keys()).containsExactly(key, key + ".json");
        assertThat(server.read(key)).hasSize(Math.toIntExact(backup.sizeBytes()));
        assertThat(server.text(key + ".json"))
                .contains(
                        "\"" + backup.sha256() + "\"",
                        "\"gtid\" : \"" + backup.gtid() + "\"",
                        "\"serverVersion\" : \"");

        databases.query("s3a", "s3a-0", "DELETE FROM shop.orders WHERE id < 3");
        databases.query("s3a", "s3a-0", "CREATE DATABASE later");
        backups.restore("s3a", "first", "back");
        databases.eventually(() ->
                assertThat(backups.phase("back")).as(backups.message("back")).isEqualTo("Complete"));
        databases.running("s3a", 2);
        for (String member : List.of("s3a-0", "s3a-1")) {
            assertThat(databases.query("s3a", member, BackupsOfOrders.SUM)).containsExactly(sum);
            assertThat(databases.query("s3a", member, "SHOW DATABASES")).doesNotContain("later");
            assertThat(databases.query("s3a", member, "SELECT User FROM mysql.user"))
                    .contains("app");
        }

        databases.create("s3b", "size: 1, bootstrapFrom: {backupName: first}");
        databases.running("s3b", 1);
        assertThat(databases.query("s3b", "s3b-0", BackupsOfOrders.SUM)).containsExactly(sum);

        cluster.resource(MySQLBackup.class, "first").delete();
        databases.eventually(() ->
                assertThat(cluster.resource(MySQLBackup.class, "first").get()).isNull());
        assertThat(server.keys()).as("spec.deletionPolicy is Retain").hasSize(2);
        backups.make("s3a", "second", "deletionPolicy: Delete");
        assertThat(server.keys()).hasSize(4);
        cluster.resource(MySQLBackup.class, "second").delete();
        databases.eventually(() ->
                assertThat(cluster.resource(MySQLBackup.class, "second").get()).isNull());
        assertThat(server.keys()).hasSize(2);
    }

    @Test
    void a_cluster_begins_with_what_the_bucket_alone_has() throws Exception {
        databases.create("s3f", "size: 1, backup: {storage: " + storage("s3") + "}");
        databases.running("s3f", 1);
        backups.fill("s3f");
        databases.query("s3f", "s3f-0", "CREATE DATABASE other");
        databases.query("s3f", "s3f-0", "CREATE USER app@'%' IDENTIFIED BY 'app'");
        String part =
                String.valueOf(backups.make("s3f", "part", "databases: [shop]").file());
        databases.query("s3f", "s3f-0", "INSERT INTO shop.orders VALUES (4, 'four')");
        backups.make("s3f", "whole", "");
        String sum = databases.query("s3f", "s3f-0", BackupsOfOrders.SUM).get(0);
        for (String name : List.of("part", "whole")) {
            cluster.resource(MySQLBackup.class, name).delete();
            databases.eventually(() ->
                    assertThat(cluster.resource(MySQLBackup.class, name).get()).isNull());
        }
        String folder = part.substring(0, part.lastIndexOf('/') + 1);

        databases.create(
                "s3g",
                "size: 2, bootstrapFrom: {storedBackup: {storage: " + storage("s3") + ", file: '" + folder
                        + "whole.sql.gz'}}");
        databases.running("s3g", 2);
        for (String member : List.of("s3g-0", "s3g-1")) {
            assertThat(databases.query("s3g", member, BackupsOfOrders.SUM)).containsExactly(sum);
            assertThat(databases.query("s3g", member, "SELECT User FROM mysql.user"))
                    .contains("app");
        }
        server.remove(folder + "whole.sql.gz.json");

        databases.create(
                "s3h",
                "size: 1, bootstrapFrom: {storedBackup: {storage: " + storage("s3") + ", file: '" + folder + "'}}");
        databases.running("s3h", 1);
        assertThat(databases.query("s3h", "s3h-0", "SELECT MAX(id) FROM shop.orders"))
                .containsExactly("3");
        assertThat(databases.query("s3h", "s3h-0", "SHOW DATABASES")).doesNotContain("other");
        assertThat(databases.query("s3h", "s3h-0", "SELECT User FROM mysql.user"))
                .contains("busbar_operator")
                .doesNotContain("app");

        databases.create(
                "s3i",
                "size: 1, bootstrapFrom: {storedBackup: {storage: " + storage("s3") + ", file: '" + folder
                        + "whole.sql.gz'}}");
        databases.eventually(
                () -> assertThat(databases.condition("s3i", "Degraded")).isEqualTo("True BackupMissing"));
        assertThat(databases.message("s3i", "Degraded")).contains("whole.sql.gz", "it has no manifest");
    }

    @Test
    void a_backup_is_whole_or_absent_whatever_happens_to_its_server() throws Exception {
        databases.create("s3c", "size: 1, backup: {storage: " + storage("s3") + "}");
        databases.running("s3c", 1);
        backups.fill("s3c");
        s3.answer("PUT .*partNumber", 1, 500, "InternalError");
        s3.cutRequest("PUT .*json", 1);
        s3.slow("PUT .*partNumber", 100, 5);
        backups.make("s3c", "stumbled", "");
        assertThat(server.keys()).hasSize(2);

        s3.mend();
        s3.answer("PUT .*json", 1000, 507, "XMinioStorageFull");
        assertThat(backups.failed("s3c", "full", "")).contains("the server answers 507 XMinioStorageFull");
        assertThat(server.keys()).hasSize(2);
        assertThat(server.openUploads()).isZero();
        s3.mend();

        S3Access.create(cluster, "wrong", "guess");
        assertThat(backups.failed("s3c", "denied", "storage: " + storage("wrong")))
                .contains("the secret access key is wrong; see credentialsSecretRef")
                .doesNotContain("guess");
        assertThat(backups.failed("s3c", "nobody", "storage: " + storage("absent")))
                .contains("the Secret of credentialsSecretRef is missing, or its key");
        assertThat(backups.failed("s3c", "noplace", "storage: {s3: {bucket: a..b, credentialsSecretRef: {name: s3}}}"))
                .contains("spec.storage.s3.bucket", "must be 3 to 63");
        assertThat(server.keys()).hasSize(2);
    }

    @Test
    void one_that_is_killed_half_way_leaves_nothing_that_counts_and_the_next_one_tidies_up() throws Exception {
        databases.create("s3d", "size: 1, backup: {storage: " + storage("s3") + "}");
        databases.running("s3d", 1);
        backups.fill("s3d");
        databases.query("s3d", "s3d-0", "CREATE TABLE shop.remainder (id INT)");
        try (SqlClient holder = databases.connect("s3d", "s3d-0")) {
            holder.query("LOCK TABLES shop.remainder WRITE");
            backups.begin("s3d", "killed", "");
            databases.eventually(() -> assertThat(server.openUploads()).isEqualTo(1));
            databases.ofJob("killed-backup").kill();
            databases.eventually(
                    () -> assertThat(backups.status("killed").phase()).isEqualTo("Failed"));
            assertThat(backups.status("killed").message()).contains("killed by signal 9");
            assertThat(server.openUploads()).isZero();

            backups.begin("s3d", "lost", "");
            databases.eventually(() -> assertThat(server.openUploads()).isEqualTo(1));
            Pod lost = pod("lost-backup");
            cluster.client().resource(lost).withGracePeriod(0).delete();
            databases.eventually(
                    () -> assertThat(cluster.client().resource(lost).get()).isNull());
            assertThat(server.keys()).isEmpty();
        }
        // Whether another Pod is made for the Job is up to the version of Kubernetes.
        databases.eventually(() -> assertThat(backups.status("lost").phase()).isIn("Failed", "Complete"));
        assertThat(server.keys())
                .hasSize("Complete".equals(backups.status("lost").phase()) ? 2 : 0);
        backups.restore("s3d", "killed", "torn");
        databases.eventually(() -> assertThat(backups.phase("torn")).isEqualTo("Failed"));

        backups.make("s3d", "later", "");
        assertThat(server.text(backups.status("later").file() + ".json"))
                .contains(String.valueOf(backups.status("later").sha256()));
        assertThat(server.openUploads()).isZero();
    }

    @Test
    void nothing_is_changed_when_the_object_is_not_what_it_was() throws Exception {
        databases.create("s3e", "size: 1, backup: {storage: " + storage("s3") + "}");
        databases.running("s3e", 1);
        backups.fill("s3e");
        String key = String.valueOf(backups.make("s3e", "spoilt", "").file());
        byte[] bytes = server.read(key);
        bytes[bytes.length / 2] ^= 1;
        server.write(key, bytes);

        backups.restore("s3e", "spoilt", "refused");
        databases.eventually(() -> assertThat(backups.phase("refused")).isEqualTo("Failed"));
        assertThat(backups.message("refused")).contains("is not what it was").contains("nothing was changed");
        databases.query("s3e", "s3e-0", "INSERT INTO shop.orders VALUES (9, 'nine')");
        assertThat(databases.status("s3e").phase()).isEqualTo("Running");
    }

    private Pod pod(String job) {
        return cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withLabel("job-name", job)
                .list()
                .getItems()
                .get(0);
    }

    private String storage(String secret) {
        return "{s3: {endpoint: '" + s3.endpoint() + "', bucket: " + S3Server.BUCKET
                + ", prefix: mysql, region: eu-central-1, forcePathStyle: true, credentialsSecretRef: {name: " + secret
                + "}}}";
    }
}
