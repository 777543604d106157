package io.busbar.operator.mysqlcluster.report;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.operator.mysqlcluster.backup.Archiving;
import io.busbar.operator.mysqlcluster.backup.Backups;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Encryption;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.v1alpha1.ArchiveStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.LastBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is known of clusters and their members, for Prometheus. What is not known has no sample. A cluster that is not
 * looked at any more, as it is gone or another replica looks at it, has no values ({@code NaN}) after a minute; its
 * meters go when the next cluster comes.
 *
 * <p>Any thread, one at a time for each cluster.
 */
public final class ClusterMeters {

    private static final Duration FRESH = Duration.ofMinutes(1);

    private final MeterRegistry registry;
    private final Clock steady;
    private final Map<ObjectKey, OfCluster> clusters = new ConcurrentHashMap<>();

    /** @param steady by which it is counted how much time has passed */
    public ClusterMeters(MeterRegistry registry, Clock steady) {
        this.registry = registry;
        this.steady = steady;
    }

    private enum Measure {
        READY("mysqlcluster_members_ready", "How many members of a MySQLCluster serve."),
        WANTED("mysqlcluster_members_wanted", "How many members a MySQLCluster should have."),
        FAILOVERS("mysqlcluster_failovers", "How often another member of a MySQLCluster had to take over."),
        LAST_BACKUP(
                "mysqlcluster_last_backup_timestamp_seconds",
                "When the last backup of a MySQLCluster was complete, in seconds since 1970; before the first, when the cluster was made."),
        VERIFIED(
                "mysqlcluster_backup_verified_timestamp_seconds",
                "When a backup of a MySQLCluster was last found to give back what it holds, in seconds since 1970."),
        NOT_VERIFIED(
                "mysqlcluster_backup_verification_failed",
                "Whether the last verification of a backup of a MySQLCluster has failed."),
        ARCHIVE_LAG(
                "mysqlcluster_archive_lag_seconds",
                "For how long there have been writes of a MySQLCluster that its archive of binary logs lacks."),
        ARCHIVE_INTERVAL(
                "mysqlcluster_archive_interval_seconds",
                "How often the binary logs of a MySQLCluster are to be archived."),
        ARCHIVE_BROKEN(
                "mysqlcluster_archive_broken",
                "Whether the archive of binary logs of a MySQLCluster has a gap or a fork after its last backup."),
        EXPIRY(
                "mysqlcluster_certificate_expiry_timestamp_seconds",
                "When the first certificate that a member of a MySQLCluster shows expires, in seconds since 1970."),
        UP("mysqlcluster_member_up", "Whether a member of a MySQLCluster answers."),
        WRITABLE("mysqlcluster_member_writable", "Whether a member of a MySQLCluster takes writes."),
        LAG("mysqlcluster_member_lag_seconds", "How far a replica of a MySQLCluster is behind its primary."),
        DISK("mysqlcluster_member_disk_bytes", "How large the disk of a member of a MySQLCluster is."),
        FREE("mysqlcluster_member_disk_free_bytes", "How much of the disk of a member of a MySQLCluster is free."),
        CONNECTIONS("mysqlcluster_member_connections", "Connections that a member of a MySQLCluster has open."),
        MOST_CONNECTIONS(
                "mysqlcluster_member_connections_limit", "Connections that a member of a MySQLCluster may have open."),
        RUNNING(
                "mysqlcluster_member_connections_running",
                "Connections that are executing something at a member of a MySQLCluster."),
        QUERIES(
                "mysqlcluster_member_queries",
                "Statements of clients that a member of a MySQLCluster was sent since it started."),
        EXTERNAL_LAG(
                "mysqlcluster_external_primary_lag_seconds",
                "How far a MySQLCluster is behind the server outside that it follows."),
        PASSWORDS(
                "mysqlcluster_passwords_timestamp_seconds",
                "Since when a MySQLCluster has its passwords, in seconds since 1970.");

        private final String id;
        private final String meaning;

        Measure(String id, String meaning) {
            this.id = id;
            this.meaning = meaning;
        }
    }

    /** @param member empty where it is about the cluster as a whole */
    private record Row(Measure measure, String member) {}

    /**
     * Shows what was seen last.
     *
     * @param cluster with the status that was told last
     * @param there all clusters
     */
    public void show(MySQLCluster cluster, Observation seen, Lister<MySQLCluster> there) {
        ObjectKey key = ObjectKey.of(cluster);
        if (!clusters.containsKey(key)) {
            Set<ObjectKey> known = there.list().stream().map(ObjectKey::of).collect(Collectors.toSet());
            clusters.forEach((other, its) -> {
                if (!known.contains(other) && clusters.remove(other, its)) {
                    its.show(Map.of());
                }
            });
        }
        clusters.computeIfAbsent(key, OfCluster::new).show(rows(cluster.told(), seen));
    }

    private static Map<Row, Double> rows(MySQLClusterStatus told, Observation seen) {
        Map<Row, Double> rows = new HashMap<>();
        rows.put(new Row(Measure.READY, ""), (double) told.readyReplicas());
        rows.put(new Row(Measure.WANTED, ""), (double) told.targetSize());
        rows.put(new Row(Measure.FAILOVERS, ""), (double) told.failover().count());
        completion(told.lastBackup())
                .or(() -> withoutBackup(seen))
                .ifPresent(at -> rows.put(new Row(Measure.LAST_BACKUP, ""), (double) at.getEpochSecond()));
        Backups.lastTried(seen.catalog().backups(), false)
                .ifPresent(last -> rows.put(new Row(Measure.NOT_VERIFIED, ""), Backups.isVerified(last) ? 0.0 : 1.0));
        Backups.lastTried(seen.catalog().backups(), true)
                .flatMap(Backups::triedAt)
                .flatMap(ClusterMeters::time)
                .ifPresent(at -> rows.put(new Row(Measure.VERIFIED, ""), (double) at.getEpochSecond()));
        archive(told, seen, rows);
        seen.rotation()
                .changedAt()
                .ifPresent(at -> rows.put(new Row(Measure.PASSWORDS, ""), (double) at.getEpochSecond()));
        seen.members().all().stream()
                .flatMap(member -> member.encryption().stream())
                .map(Encryption::expiry)
                .min(Comparator.naturalOrder())
                .ifPresent(at -> rows.put(new Row(Measure.EXPIRY, ""), (double) at.getEpochSecond()));
        for (Member member : seen.members().all()) {
            rows.put(new Row(Measure.UP, member.name()), member.reachable() ? 1.0 : 0.0);
            rows.put(new Row(Measure.WRITABLE, member.name()), member.isWritable() ? 1.0 : 0.0);
            member.replication()
                    .flatMap(Replication::lag)
                    .ifPresent(lag -> rows.put(
                            seen.isMigrating() && seen.isPrimary(member)
                                    ? new Row(Measure.EXTERNAL_LAG, "")
                                    : new Row(Measure.LAG, member.name()),
                            lag.toMillis() / 1e3));
            member.disk().filter(disk -> disk.totalBytes() > 0).ifPresent(disk -> {
                rows.put(new Row(Measure.DISK, member.name()), (double) disk.totalBytes());
                rows.put(new Row(Measure.FREE, member.name()), (double) disk.availableBytes());
            });
            member.state().flatMap(up -> member.load()).ifPresent(load -> {
                rows.put(new Row(Measure.CONNECTIONS, member.name()), (double) load.connections());
                rows.put(new Row(Measure.MOST_CONNECTIONS, member.name()), (double) load.mostConnections());
                rows.put(new Row(Measure.RUNNING, member.name()), (double) load.threadsRunning());
                rows.put(new Row(Measure.QUERIES, member.name()), (double) load.queries());
            });
        }
        return rows;
    }

    private static void archive(MySQLClusterStatus told, Observation seen, Map<Row, Double> rows) {
        BackupSpec spec = seen.spec().backup();
        if (spec == null || spec.archive() == null) {
            return;
        }
        ArchiveStatus archive = Objects.requireNonNullElse(told.archive(), ArchiveStatus.NONE);
        rows.put(new Row(Measure.ARCHIVE_INTERVAL, ""), (double) spec.archive().intervalSeconds());
        rows.put(new Row(Measure.ARCHIVE_BROKEN, ""), archive.broken() == null ? 0.0 : 1.0);
        // Of a cluster that nothing was archived of yet, since it is there.
        seen.servingPrimary()
                .flatMap(primary -> Archiving.isArchived(primary, archive)
                        ? Optional.of(Duration.ZERO)
                        : Optional.ofNullable(archive.lastArchiveTime())
                                .or(() -> Optional.ofNullable(
                                        seen.cluster().getMetadata().getCreationTimestamp()))
                                .flatMap(ClusterMeters::time)
                                .map(since -> Duration.between(since, seen.now())))
                .ifPresent(lag -> rows.put(new Row(Measure.ARCHIVE_LAG, ""), Math.max(0.0, (double) lag.toSeconds())));
    }

    /** Since when a cluster has been without the backup that it is to have; empty where it is to have none. */
    private static Optional<Instant> withoutBackup(Observation seen) {
        BackupSpec spec = seen.spec().backup();
        return spec == null || spec.schedule() == null || spec.suspend()
                ? Optional.empty()
                : Optional.ofNullable(seen.cluster().getMetadata().getCreationTimestamp())
                        .flatMap(ClusterMeters::time);
    }

    private static Optional<Instant> completion(@Nullable LastBackup backup) {
        return Optional.ofNullable(backup).map(LastBackup::completedAt).flatMap(ClusterMeters::time);
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException unreadable) {
            return Optional.empty();
        }
    }

    private final class OfCluster {

        private final ObjectKey key;
        private final Map<Row, Meter> meters = new ConcurrentHashMap<>();
        private volatile Map<Row, Double> values = Map.of();
        private volatile Instant at = Instant.MIN;

        OfCluster(ObjectKey key) {
            this.key = key;
        }

        void show(Map<Row, Double> now) {
            values = Map.copyOf(now);
            at = steady.instant();
            meters.forEach((row, meter) -> {
                if (!now.containsKey(row)) {
                    registry.remove(meter);
                    meters.remove(row);
                }
            });
            now.keySet().forEach(row -> meters.computeIfAbsent(row, this::register));
        }

        private Meter register(Row row) {
            Tags tags = Tags.of("namespace", key.namespace(), "cluster", key.name());
            Tags all = row.member().isEmpty() ? tags : tags.and("member", row.member());
            return row.measure() == Measure.QUERIES
                    ? FunctionCounter.builder(row.measure().id, this, its -> its.value(row))
                            .description(row.measure().meaning)
                            .tags(all)
                            .register(registry)
                    : Gauge.builder(row.measure().id, () -> value(row))
                            .description(row.measure().meaning)
                            .tags(all)
                            .register(registry);
        }

        private double value(Row row) {
            boolean fresh = steady.instant().isBefore(at.plus(FRESH));
            return fresh ? values.getOrDefault(row, Double.NaN) : Double.NaN;
        }
    }
}
