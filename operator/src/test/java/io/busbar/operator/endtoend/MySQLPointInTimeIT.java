package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.s3.FaultyS3;
import io.busbar.operator.mysqlcluster.s3.S3Server;
import io.busbar.operator.mysqlcluster.v1alpha1.ArchiveStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@WithDatabases
@Order(EndToEnd.LONG)
class MySQLPointInTimeIT {

    private static final Logger log = LoggerFactory.getLogger(MySQLPointInTimeIT.class);

    /** Of a cluster that finds its backup, loads it and goes on from there. */
    private static final Duration IN_ALL = Duration.ofMinutes(3);

    private static final String IDS = "SELECT id FROM shop.orders ORDER BY id";

    private final Cluster cluster;
    private final Databases databases;
    private final BackupsOfOrders backups;
    private S3Server server;
    private FaultyS3 s3;
    private S3Access access;

    MySQLPointInTimeIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
        this.backups = new BackupsOfOrders(cluster, databases);
    }

    @BeforeEach
    void start() throws Exception {
        server = S3Server.start();
        s3 = new FaultyS3(server.port());
        access = S3Access.create(cluster, "s3-moment");
    }

    @AfterEach
    void stop() throws Exception {
        s3.close();
        server.close();
    }

    private void create(String name, int size) {
        databases.create(
                name,
                "size: " + size
                        + ", failover: {delaySeconds: 1}, backup: {archive: {intervalSeconds: 10}, storage: "
                        + access.storage(s3.endpoint()) + "}");
        databases.running(name, size);
        backups.fill(name);
    }

    private void insert(String name, String pod, int id) {
        databases.query(name, pod, "INSERT INTO shop.orders VALUES (" + id + ", 'order')");
    }

    /** What a server has, as it writes it. */
    private String position(String name, String pod) {
        String position = databases.product() == Product.MARIADB ? "gtid_binlog_state" : "gtid_executed";
        return databases.query(name, pod, "SELECT @@GLOBAL." + position).get(0).replaceAll("\\s", "");
    }

    /** The second that it is at a server; it is over when this returns. */
    private Instant second(String name, String pod) {
        long second = unixTime(name, pod);
        databases.eventually(() -> assertThat(unixTime(name, pod)).isGreaterThan(second));
        return Instant.ofEpochSecond(second);
    }

    private long unixTime(String name, String pod) {
        return Long.parseLong(
                databases.query(name, pod, "SELECT UNIX_TIMESTAMP()").get(0));
    }

    private ArchiveStatus archive(String name) {
        return Objects.requireNonNullElse(databases.status(name).archive(), ArchiveStatus.NONE);
    }

    /** Of a cluster to which something was written later. */
    private void awaitArchivedBeyond(String name, Instant moment) {
        databases.eventually(() -> assertThat(
                        Instant.parse(Objects.requireNonNullElse(archive(name).restorableTo(), "1970-01-01T00:00:00Z")))
                .as("%s", databases.message(name, "Archived"))
                .isAfter(moment));
    }

    private void restore(String name, String restore, String spec) {
        cluster.create(MySQLRestore.class, """
            apiVersion: database.example.com/v1alpha1
            kind: MySQLRestore
            metadata: {name: %s, namespace: %s}
            spec: {clusterName: %s, %s}
            """.formatted(restore, cluster.namespace(), name, spec));
    }

    private void restored(String name, String restore, String spec) {
        restore(name, restore, spec);
        databases.eventually(() ->
                assertThat(backups.phase(restore)).as(backups.message(restore)).isEqualTo("Complete"));
        databases.running(name, databases.status(name).members().size());
    }

    private String refused(String name, String restore, String spec) {
        restore(name, restore, spec);
        databases.eventually(() -> assertThat(backups.phase(restore)).isEqualTo("Failed"));
        return backups.message(restore);
    }

    private List<String> ids(String name, String pod) {
        return databases.query(name, pod, IDS);
    }

    @Test
    void goes_back_to_a_second_and_to_a_GTID_and_begins_anew_from_there() throws Exception {
        create("pita", 1);
        backups.make("pita", "first", "");
        insert("pita", "pita-0", 11);
        String eleven = position("pita", "pita-0");
        insert("pita", "pita-0", 12);
        Instant moment = second("pita", "pita-0");
        databases.query("pita", "pita-0", "DROP TABLE shop.orders");
        databases.query("pita", "pita-0", "CREATE DATABASE later");
        awaitArchivedBeyond("pita", moment);

        restored("pita", "moment", "pointInTime: '" + moment + "'");
        assertThat(ids("pita", "pita-0")).containsExactly("1", "2", "3", "11", "12");
        assertThat(databases.query("pita", "pita-0", "SHOW DATABASES")).doesNotContain("later");
        assertThat(cluster.get(MySQLRestore.class, "moment").told().backupName())
                .isEqualTo("first");
        assertThat(cluster.get(MySQLRestore.class, "moment").told().gtid()).isNotEmpty();
        insert("pita", "pita-0", 13);

        restored("pita", "named", "backupName: first, gtid: '" + eleven + "'");
        assertThat(ids("pita", "pita-0")).containsExactly("1", "2", "3", "11");

        databases.create("pitb", "size: 1, bootstrapFrom: {backupName: first, pointInTime: '" + moment + "'}");
        databases.running("pitb", 1, IN_ALL);
        assertThat(ids("pitb", "pitb-0")).containsExactly("1", "2", "3", "11", "12");
    }

    @Test
    void goes_back_to_before_what_came_after_a_failover() throws Exception {
        create("pitc", 2);
        backups.make("pitc", "before", "");
        insert("pitc", "pitc-0", 21);
        databases.eventually(() -> assertThat(ids("pitc", "pitc-1")).contains("21"));
        databases.server("pitc-0").hold();
        databases.eventually(
                () -> assertThat(databases.status("pitc").currentPrimary()).isEqualTo("pitc-1"));
        databases.eventually(() -> insert("pitc", "pitc-1", 22));
        Instant moment = second("pitc", "pitc-1");
        insert("pitc", "pitc-1", 23);
        awaitArchivedBeyond("pitc", moment);
        databases.server("pitc-0").release();
        databases.running("pitc", 2);

        restored("pitc", "back", "pointInTime: '" + moment + "'");
        for (String member : List.of("pitc-0", "pitc-1")) {
            assertThat(ids("pitc", member)).containsExactly("1", "2", "3", "21", "22");
        }
    }

    @Test
    void what_the_archive_does_not_reach_or_has_damaged_costs_nothing() throws Exception {
        create("pitd", 1);
        backups.make("pitd", "old", "");
        insert("pitd", "pitd-0", 31);
        String there = position("pitd", "pitd-0");
        Instant moment = second("pitd", "pitd-0");
        insert("pitd", "pitd-0", 32);
        awaitArchivedBeyond("pitd", moment);

        assertThat(refused("pitd", "early", "pointInTime: '2020-01-01T00:00:00Z'"))
                .contains("no complete MySQLBackup", "before 2020-01-01T00:00:00Z");
        assertThat(refused("pitd", "earlier", "backupName: old, pointInTime: '2020-01-01T00:00:00Z'"))
                .contains("the backup was complete at", "nothing was changed");
        String never = there.replaceAll("[0-9]+$", "999999");
        assertThat(refused("pitd", "never", "backupName: old, gtid: '" + never + "'"))
                .contains("the archive does not have all of gtid", "nothing was changed");

        Map<String, byte[]> whole = new TreeMap<>();
        for (String key : server.keys()) {
            if (key.endsWith(".gz") && key.contains("/binlogs/")) {
                whole.put(key, server.read(key));
                byte[] damaged = server.read(key);
                damaged[damaged.length / 2] ^= 1;
                server.write(key, damaged);
            }
        }
        assertThat(refused("pitd", "damaged", "pointInTime: '" + moment + "'"))
                .contains("is not what it was when it was archived", "nothing was changed");
        whole.forEach(server::write);

        s3.answer(".*", Integer.MAX_VALUE, 403, "AccessDenied");
        insert("pitd", "pitd-0", 33);
        databases.eventually(
                () -> assertThat(databases.condition("pitd", "Archived")).isEqualTo("False Failing"));
        databases.query("pitd", "pitd-0", "FLUSH BINARY LOGS");
        insert("pitd", "pitd-0", 34);
        List<String> logs = databases.column("pitd", "pitd-0", "SHOW BINARY LOGS", "Log_name");
        databases.query("pitd", "pitd-0", "PURGE BINARY LOGS TO '" + logs.get(logs.size() - 1) + "'");
        Instant afterGap = second("pitd", "pitd-0");
        insert("pitd", "pitd-0", 35);
        s3.mend();
        awaitArchivedBeyond("pitd", afterGap);
        assertThat(refused("pitd", "torn", "pointInTime: '" + afterGap + "'"))
                .contains("gap or a fork in the archive before the binary log", "nothing was changed");

        assertThat(ids("pitd", "pitd-0")).containsExactly("1", "2", "3", "31", "32", "33", "34", "35");
        restored("pitd", "still", "pointInTime: '" + moment + "'");
        assertThat(ids("pitd", "pitd-0")).containsExactly("1", "2", "3", "31");
    }

    /** How much that is, is told, and not tested: it is up to the interval, and to how long Jobs take here. */
    @Test
    void of_a_cluster_that_is_lost_with_its_volumes_all_up_to_a_moment_is_back() throws Exception {
        create("pite", 1);
        backups.make("pite", "base", "");
        Instant begin = second("pite", "pite-0");
        List<Instant> acknowledged = new ArrayList<>();
        while (acknowledged.size() < 300
                && !(acknowledged.size() > 50
                        && Instant.parse(Objects.requireNonNullElse(
                                        archive("pite").restorableTo(), begin.toString()))
                                .isAfter(begin.plusSeconds(15)))) {
            insert("pite", "pite-0", 100 + acknowledged.size());
            acknowledged.add(Instant.now());
        }
        awaitArchivedBeyond("pite", begin);
        Instant lost = Instant.now();
        String end = Objects.requireNonNull(archive("pite").restorableTo());
        String file = String.valueOf(backups.status("base").file());
        cluster.resource(MySQLCluster.class, "pite").delete();
        databases.eventually(() ->
                assertThat(cluster.resource(MySQLCluster.class, "pite").get()).isNull());

        databases.create(
                "pitf",
                "size: 1, bootstrapFrom: {pointInTime: '" + end + "', storedBackup: {file: '"
                        + file.substring(0, file.lastIndexOf('/') + 1) + "', storage: " + access.storage(s3.endpoint())
                        + "}}");
        databases.running("pitf", 1, IN_ALL);

        List<String> back = ids("pitf", "pitf-0");
        int kept = back.size() - 3;
        assertThat(back.subList(3, back.size()))
                .as("without a hole")
                .isEqualTo(IntStream.range(100, 100 + kept)
                        .mapToObj(String::valueOf)
                        .toList());
        assertThat(kept).isPositive();
        List<Instant> missing = acknowledged.subList(Math.min(kept, acknowledged.size()), acknowledged.size());
        log.atInfo()
                .addKeyValue("acknowledged", acknowledged.size())
                .addKeyValue("missing", missing.size())
                .addKeyValue(
                        "oldestMissing", missing.isEmpty() ? Duration.ZERO : Duration.between(missing.get(0), lost))
                .log("lost with the cluster, archived every 10 s");
    }
}
