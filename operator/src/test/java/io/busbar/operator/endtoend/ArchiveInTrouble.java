package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.s3.FaultyS3;
import io.busbar.operator.mysqlcluster.s3.S3Server;
import io.busbar.operator.mysqlcluster.v1alpha1.ArchiveStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Random;

/**
 * Backups of a cluster every two minutes and its binary logs every ten seconds, in a bucket that refuses, cuts off and
 * slows down requests now and then. For one thread, but for what goes on by itself.
 */
final class ArchiveInTrouble implements AutoCloseable {

    /** Of a cluster that loads a backup and reads all binary logs since. */
    private static final Duration RESTORE = Duration.ofMinutes(10);

    private final Cluster cluster;
    private final Databases databases;
    private final Journal journal;
    private final S3Server server;
    private final FaultyS3 s3;
    private final S3Access access;

    private ArchiveInTrouble(Cluster cluster, Databases databases, Journal journal) throws Exception {
        this.cluster = cluster;
        this.databases = databases;
        this.journal = journal;
        this.server = S3Server.start();
        this.s3 = new FaultyS3(server.port());
        this.access = S3Access.create(cluster, "s3-chaos");
    }

    static ArchiveInTrouble start(Cluster cluster, Databases databases, Journal journal) throws Exception {
        return new ArchiveInTrouble(cluster, databases, journal);
    }

    /** What a cluster says of it in its spec. */
    String spec() {
        return ", backup: {schedule: '*/2 * * * *', keep: 3, archive: {intervalSeconds: 10}, storage: "
                + access.storage(s3.endpoint()) + "}";
    }

    /**
     * Does something to requests from now on, until {@link #mend}.
     *
     * @return what
     */
    String trouble(Random random) {
        switch (random.nextInt(4)) {
            case 0 -> {
                s3.answer(".*", Integer.MAX_VALUE, 503, "SlowDown");
                return "bucket busy";
            }
            case 1 -> {
                s3.answer("^PUT", Integer.MAX_VALUE, 507, "InsufficientStorage");
                return "bucket full";
            }
            case 2 -> {
                s3.cutRequest("^PUT", Integer.MAX_VALUE);
                return "bucket cut off";
            }
            default -> {
                s3.slow(".*", Integer.MAX_VALUE, 200);
                return "bucket slow";
            }
        }
    }

    void mend() {
        s3.mend();
    }

    /**
     * Of a cluster to which nobody else writes any more: what the status says can be restored is restored into another
     * cluster, with the oldest backup that it names, and is all that this one has.
     *
     * @param sum a query of one value, that two clusters with the same rows answer alike
     */
    void checkRestore(String name, String primary, String sum) {
        Instant written = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        databases.query(
                name, primary, "INSERT INTO " + RowWriter.TABLE + " VALUES (0)"); // so that there is something left
        Databases.within(RESTORE, () -> {
            ArchiveStatus told = status(name);
            assertThat(databases.condition(name, "Archived")).as("%s", told).isEqualTo("True Archived");
            assertThat(told.restorableFrom()).as("%s", told).isNotNull();
            assertThat(Instant.parse(Objects.requireNonNull(told.restorableTo())))
                    .isAfterOrEqualTo(written);
        });
        ArchiveStatus told = status(name);
        String oldest =
                cluster
                        .client()
                        .resources(MySQLBackup.class)
                        .inNamespace(cluster.namespace())
                        .list()
                        .getItems()
                        .stream()
                        .filter(backup -> Objects.equals(backup.told().completionTime(), told.restorableFrom()))
                        .map(backup -> backup.getMetadata().getName())
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("no backup for the beginning of " + told));
        journal.note("restores " + oldest + " up to " + told.restorableTo() + " of " + told);
        String back = name + "-back";
        databases.create(
                back,
                "size: 1, bootstrapFrom: {backupName: " + oldest + ", pointInTime: '" + told.restorableTo() + "'}");
        databases.running(back, 1, RESTORE);
        assertThat(databases.query(back, back + "-0", sum))
                .as("%s with the binary logs up to %s", oldest, told.restorableTo())
                .isEqualTo(databases.query(name, primary, sum));
    }

    private ArchiveStatus status(String name) {
        return Objects.requireNonNullElse(databases.status(name).archive(), ArchiveStatus.NONE);
    }

    /** How many binary logs and how many backups are there. */
    String contents() {
        long logs = server.keys().stream()
                .filter(key -> key.contains("/binlogs/") && key.endsWith(".gz"))
                .count();
        long backups = server.keys().stream()
                .filter(key -> !key.contains("/binlogs/") && key.endsWith(".gz"))
                .count();
        return logs + " binary logs, " + backups + " backups";
    }

    @Override
    public void close() throws IOException {
        s3.close();
        server.close();
    }
}
