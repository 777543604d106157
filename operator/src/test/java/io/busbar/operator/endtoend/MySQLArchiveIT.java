package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.operator.mysqlcluster.s3.FaultyS3;
import io.busbar.operator.mysqlcluster.s3.S3Server;
import io.busbar.operator.mysqlcluster.v1alpha1.ArchiveStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@WithDatabases
@Order(EndToEnd.LONG)
class MySQLArchiveIT {

    private final Cluster cluster;
    private final Databases databases;
    private final BackupsOfOrders backups;
    private S3Server server;
    private FaultyS3 s3;
    private S3Access access;

    MySQLArchiveIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
        this.backups = new BackupsOfOrders(cluster, databases);
    }

    @BeforeEach
    void start() throws Exception {
        server = S3Server.start();
        s3 = new FaultyS3(server.port());
        access = S3Access.create(cluster, "s3-archive");
    }

    @AfterEach
    void stop() throws Exception {
        s3.close();
        server.close();
    }

    private String spec(int size) {
        return "size: " + size + ", failover: {delaySeconds: 1}, backup: {archive: {intervalSeconds: 10}, storage: "
                + access.storage(s3.endpoint()) + "}";
    }

    private void insert(String name, String pod, int id) {
        databases.query(name, pod, "INSERT INTO shop.orders VALUES (" + id + ", 'order no. " + id + " ends here')");
    }

    private List<JsonNode> segments(String name) throws Exception {
        List<JsonNode> all = new ArrayList<>();
        for (String key : server.keys()) {
            if (key.startsWith(folder(name)) && key.endsWith(".json")) {
                all.add(new ObjectMapper().readTree(server.text(key)));
            }
        }
        return all;
    }

    private String folder(String name) {
        return cluster.namespace() + "/" + name + "/binlogs/";
    }

    /** The bytes of all binary logs that are archived, in order: what was written stands in them as it is. */
    private String archived(String name) throws Exception {
        StringBuilder all = new StringBuilder();
        for (JsonNode segment : segments(name)) {
            String key = folder(name)
                    + String.format(
                            Locale.ROOT, "%010d.gz", segment.path("number").asLong());
            all.append(new String(
                    new GZIPInputStream(new ByteArrayInputStream(server.read(key))).readAllBytes(),
                    StandardCharsets.ISO_8859_1));
        }
        return all.toString();
    }

    /** A Job begins two programs, the interval is between it and the next, and machines may be busy. */
    private static void eventually(ThrowingRunnable assertion) {
        Databases.within(Duration.ofMinutes(4), assertion);
    }

    private void awaitArchived(String name, int id) {
        eventually(() -> assertThat(archived(name))
                .as(databases.message(name, "Archived"))
                .contains("order no. " + id + " ends here"));
    }

    private ArchiveStatus told(String name) {
        return Objects.requireNonNullElse(databases.status(name).archive(), ArchiveStatus.NONE);
    }

    /** Of statements or rows, whichever the server logs; the text may be there as both only in one event. */
    private void assertEachThereInOrder(String name, int... ids) throws Exception {
        String all = archived(name);
        List<Integer> at = new ArrayList<>();
        for (int id : ids) {
            at.add(all.indexOf("order no. " + id + " ends here"));
            assertThat(at.get(at.size() - 1)).as("order %d", id).isNotNegative();
        }
        assertThat(at).isSorted();
    }

    @Test
    void what_is_written_is_archived_and_a_failover_makes_no_gap() throws Exception {
        databases.create("arca", spec(2) + ", tls: {mode: Required}");
        databases.running("arca", 2, Duration.ofMinutes(4));
        backups.fill("arca");
        insert("arca", "arca-0", 11);
        awaitArchived("arca", 11);
        insert("arca", "arca-0", 12);
        awaitArchived("arca", 12);
        backups.make("arca", "whole", "deletionPolicy: Delete");
        eventually(() -> assertThat(databases.condition("arca", "Archived")).isEqualTo("True Archived"));
        eventually(() -> assertThat(told("arca").restorableFrom())
                .isEqualTo(backups.status("whole").completionTime()));
        assertThat(told("arca").restorableTo()).isNotNull();

        eventually(() -> assertThat(databases.query("arca", "arca-1", "SELECT MAX(id) FROM shop.orders"))
                .containsExactly("12"));
        databases.server("arca-0").hold();
        eventually(() -> assertThat(databases.status("arca").currentPrimary()).isEqualTo("arca-1"));
        String next = "arca-1";
        eventually(() -> insert("arca", next, 13));
        awaitArchived("arca", 13);
        eventually(() -> assertThat(told("arca").lastSegment())
                .isEqualTo(segments("arca").size()));

        List<JsonNode> segments = segments("arca");
        assertThat(segments)
                .extracting(segment -> segment.path("server").asText())
                .contains("arca-0", next);
        assertThat(segments)
                .extracting(segment -> segment.path("continues").asBoolean())
                .startsWith(false);
        assertThat(segments.subList(1, segments.size()))
                .extracting(segment -> segment.path("continues").asBoolean())
                .containsOnly(true);
        assertEachThereInOrder("arca", 11, 12, 13);
        eventually(() -> assertThat(databases.condition("arca", "Archived")).isEqualTo("True Archived"));
        assertThat(told("arca").restorableFrom())
                .isEqualTo(backups.status("whole").completionTime());
        assertThat(told("arca").since()).isEqualTo(1);
        databases.server("arca-0").release();
        assertThat(server.keys()).contains(cluster.namespace() + "/arca/whole.sql.gz.json");

        backups.make("arca", "next", "");
        cluster.resource(MySQLBackup.class, "whole").delete();
        eventually(() -> assertThat(server.keys())
                .as("follow on no backup that is left")
                .doesNotContain(folder("arca") + "0000000001.gz", folder("arca") + "0000000001.json"));
        assertThat(segments("arca")).isNotEmpty();
        eventually(() -> assertThat(told("arca").restorableFrom())
                .isEqualTo(backups.status("next").completionTime()));
        insert("arca", next, 15);
        awaitArchived("arca", 15);
        assertThat(databases.condition("arca", "Archived"))
                .as("after the first logs have gone")
                .isEqualTo("True Archived");
    }

    @Test
    void logs_that_are_purged_too_early_are_told_until_there_is_a_backup_since() throws Exception {
        databases.create("arcb", spec(1));
        databases.running("arcb", 1, Duration.ofMinutes(4));
        backups.fill("arcb");
        insert("arcb", "arcb-0", 21);
        awaitArchived("arcb", 21);

        // Nothing is archived while the bucket does not answer.
        s3.answer(".*", Integer.MAX_VALUE, 403, "AccessDenied");
        insert("arcb", "arcb-0", 22);
        eventually(() -> assertThat(databases.condition("arcb", "Archived")).isEqualTo("False Failing"));
        assertThat(databases.message("arcb", "Archived")).contains("access is denied");
        databases.awaitEvents("arcb", "ArchiveFailed");
        databases.query("arcb", "arcb-0", "FLUSH BINARY LOGS");
        insert("arcb", "arcb-0", 23);
        List<String> logs = databases.column("arcb", "arcb-0", "SHOW BINARY LOGS", "Log_name");
        databases.query("arcb", "arcb-0", "PURGE BINARY LOGS TO '" + logs.get(logs.size() - 1) + "'");
        s3.mend();

        eventually(() -> assertThat(databases.condition("arcb", "Archived")).isEqualTo("False Gap"));
        assertThat(databases.message("arcb", "Archived")).contains("the archive ends at", "make a MySQLBackup");
        databases.awaitEvents("arcb", "ArchiveBroken");
        awaitArchived("arcb", 23);
        assertThat(archived("arcb")).doesNotContain("order no. 22 ends here");
        assertThat(databases.condition("arcb", "Archived")).isEqualTo("False Gap");

        backups.make("arcb", "since", "");
        insert("arcb", "arcb-0", 24);
        eventually(() -> assertThat(databases.condition("arcb", "Archived")).isEqualTo("True Archived"));
        assertThat(told("arcb").restorableFrom())
                .isEqualTo(backups.status("since").completionTime());
        awaitArchived("arcb", 24);
        assertThat(told("arcb").since()).isGreaterThan(1);
    }

    @Test
    void a_bucket_in_trouble_has_whole_logs_and_nothing_else() throws Exception {
        databases.create("arcc", spec(1));
        databases.running("arcc", 1, Duration.ofMinutes(4));
        backups.fill("arcc");
        s3.answer("PUT .*partNumber", 1, 500, "InternalError");
        s3.cutRequest("PUT .*json", 1);
        s3.cutAnswer("GET .*list-type", 1, 20);
        insert("arcc", "arcc-0", 31);
        awaitArchived("arcc", 31);
        s3.mend();
        s3.answer("PUT .*json", Integer.MAX_VALUE, 507, "XMinioStorageFull");
        insert("arcc", "arcc-0", 32);
        eventually(() -> assertThat(databases.condition("arcc", "Archived")).isEqualTo("False Failing"));
        assertThat(databases.message("arcc", "Archived")).contains("507 XMinioStorageFull");
        s3.mend();
        awaitArchived("arcc", 32);
        assertEachThereInOrder("arcc", 31, 32);
        assertThat(server.openUploads()).isZero();
        assertThat(segments("arcc").stream().skip(1))
                .extracting(segment -> segment.path("continues").asBoolean())
                .containsOnly(true);
    }
}
