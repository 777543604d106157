package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.s3.S3Server;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.VerificationStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@WithDatabases
@Order(EndToEnd.LONG)
class MySQLVerificationIT {

    /** For how long a trial is held that is to be killed. */
    private static final Duration HELD = Duration.ofSeconds(40);

    @TempDir
    private Path storage;

    private final Cluster cluster;
    private final Databases databases;
    private final BackupsOfOrders backups;

    MySQLVerificationIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
        this.backups = new BackupsOfOrders(cluster, databases);
    }

    @Test
    void loads_the_newest_backup_when_it_is_time_and_says_that_it_gives_back_all_that_it_holds() {
        databases.create(
                "db", "size: 1, backup: {verification: {schedule: '0 0 1 1 *'}, storage: {hostPath: " + storage + "}}");
        databases.running("db", 1);
        backups.fill("db");
        backups.make("db", "newest", "");
        assertThat(backups.status("newest").verification()).isNull();

        tell("newest", "{\"completionTime\":\"2020-01-01T00:00:00Z\"}");
        await("newest", "Verified", "parts of it came back as they were");
        assertThat(backups.status("newest").phase()).isEqualTo("Complete");
        assertThat(verified("newest")).isEqualTo("True Verified");
        databases.awaitEvents("newest", "BackupVerified");
        databases.awaitEvents("db", "BackupVerified");
        assertThat(cluster.get(Job.class, "newest-trial").toString()).doesNotContain("secretKeyRef");
    }

    @Test
    void tells_in_words_what_is_wrong_with_a_backup_and_goes_on_after_its_pod_was_killed() throws Exception {
        databases.create("bad", "size: 1, backup: {storage: {hostPath: " + storage + "}}");
        databases.running("bad", 1);
        backups.fill("bad");
        Path file =
                storage.resolve(String.valueOf(backups.make("bad", "stored", "").file()));
        byte[] good = Files.readAllBytes(file);

        byte[] flipped = good.clone();
        flipped[flipped.length / 2] ^= 1;
        Files.write(file, flipped);
        verify("stored", "flipped");
        await("stored", "Failed", "is not what it was when the backup was made");
        assertThat(verified("stored")).isEqualTo("False Unreadable");
        databases.awaitEvents("stored", "BackupNotVerified");
        databases.eventually(
                () -> assertThat(databases.condition("bad", "BackupHealthy")).isEqualTo("False NotVerified"));

        Files.write(file, Arrays.copyOf(good, good.length / 2));
        told("stored", file);
        verify("stored", "cut");
        await("stored", "Failed", "is not complete");

        String dump;
        Files.write(file, good);
        try (GZIPInputStream unzipped = new GZIPInputStream(Files.newInputStream(file))) {
            dump = new String(unzipped.readAllBytes(), StandardCharsets.UTF_8);
        }
        String end = "-- Dump completed";
        write(file, dump.replace(end, "no such statement;\n" + end));
        told("stored", file);
        verify("stored", "strange");
        await("stored", "Failed", "error in your SQL syntax");
        assertThat(verified("stored")).isEqualTo("False NotLoaded");

        write(file, dump.replace(end, "DELETE FROM shop.orders WHERE id = 1;\n" + end));
        told("stored", file);
        verify("stored", "poorer");
        await("stored", "Failed", "the rows of `shop`.`orders`");
        assertThat(verified("stored")).isEqualTo("False Different");

        // It is held until it was killed; whoever comes after that waits for what is left of the time.
        write(
                file,
                "DO SLEEP(GREATEST(0, " + (Instant.now().getEpochSecond() + HELD.toSeconds())
                        + " - UNIX_TIMESTAMP()));\n" + dump);
        told("stored", file);
        verify("stored", "killed");
        databases.eventually(() -> {
            assertThat(cluster.get(Job.class, "stored-trial").getMetadata().getAnnotations())
                    .containsValue("killed");
            databases.ofJob("stored-trial").kill();
        });
        await("stored", "Verified", "came back as they were");
        assertThat(cluster.get(Job.class, "stored-trial").getStatus().getFailed())
                .isPositive();
        databases.eventually(
                () -> assertThat(databases.condition("bad", "BackupHealthy")).isEqualTo("True Complete"));
    }

    @Test
    void loads_what_is_in_s3_as_a_restore_does() throws Exception {
        try (S3Server server = S3Server.start()) {
            String storage = S3Access.create(cluster, "s3").storage(URI.create("http://127.0.0.1:" + server.port()));
            databases.create("far", "size: 1, backup: {storage: " + storage + "}");
            databases.running("far", 1);
            backups.fill("far");
            String key = String.valueOf(backups.make("far", "object", "").file());
            verify("object", "good");
            await("object", "Verified", "came back as they were");

            byte[] bytes = server.read(key);
            bytes[bytes.length / 2] ^= 1;
            server.write(key, bytes);
            verify("object", "flipped");
            await("object", "Failed", "is not what it was");
            assertThat(verified("object")).isEqualTo("False Unreadable");
        }
    }

    private void verify(String backup, String request) {
        cluster.annotate(cluster.get(MySQLBackup.class, backup), "database.example.com/verify", request);
    }

    /** Until the last request is answered. */
    private void await(String backup, String phase, String message) {
        databases.eventually(() -> {
            VerificationStatus told = backups.status(backup).verification();
            String request = cluster.get(MySQLBackup.class, backup)
                    .getMetadata()
                    .getAnnotations()
                    .get("database.example.com/verify");
            assertThat(told).isNotNull();
            assertThat(told.request()).isEqualTo(request);
            assertThat(told.phase()).as(told.toString()).isEqualTo(phase);
            assertThat(told.message()).contains(message);
        });
    }

    private String verified(String backup) {
        Condition verified =
                Conditions.find(backups.status(backup).conditions(), "Verified").orElseThrow();
        return verified.getStatus() + " " + verified.getReason();
    }

    /** Has a backup say that its file has always been what it is now. */
    private void told(String backup, Path file) throws Exception {
        byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        tell(backup, "{\"sha256\":\"" + HexFormat.of().formatHex(sha256) + "\"}");
    }

    private void tell(String backup, String status) {
        cluster.resource(MySQLBackup.class, backup)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":" + status + "}");
    }

    private static void write(Path file, String dump) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(zipped)) {
            zip.write(dump.getBytes(StandardCharsets.UTF_8));
        }
        Files.write(file, zipped.toByteArray());
    }
}
