package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.ObjectKey;
import io.busbar.common.condition.Conditions;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.observe.Catalog;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.BootstrapFrom;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.busbar.operator.mysqlcluster.v1alpha1.VerificationStatus;
import io.busbar.reconciler.ReconcileContext;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What may be asked of backups, and where those of a cluster are found. Any thread. */
public final class Backups {

    /** Files backups under their cluster. */
    public static final Index<MySQLBackup> BY_CLUSTER = new Index<>(
            "mysqlbackup.cluster",
            backup -> List.of(
                    backup.getMetadata().getNamespace() + "/" + backup.getSpec().clusterName()));

    /** Files restores under their cluster. */
    public static final Index<MySQLRestore> RESTORES_BY_CLUSTER = new Index<>(
            "mysqlrestore.cluster",
            restore -> List.of(restore.getMetadata().getNamespace() + "/"
                    + restore.getSpec().clusterName()));

    static final String PENDING = "Pending";
    static final String RUNNING = "Running";
    static final String COMPLETE = "Complete";
    static final String FAILED = "Failed";

    private Backups() {}

    static ObjectKey cluster(MySQLBackup backup) {
        return ObjectKey.of(
                backup.getMetadata().getNamespace(), backup.getSpec().clusterName());
    }

    static boolean isComplete(MySQLBackup backup) {
        return Conditions.isTrue(backup.told().conditions(), MySQLBackupStatus.COMPLETE);
    }

    static boolean isFailed(MySQLBackup backup) {
        return Conditions.isTrue(backup.told().conditions(), MySQLBackupStatus.FAILED);
    }

    static boolean isFinished(MySQLBackup backup) {
        return isComplete(backup) || isFailed(backup);
    }

    /** Whether it was loaded into a server of its own, and gave back what it holds. */
    public static boolean isVerified(MySQLBackup backup) {
        return Conditions.isTrue(backup.told().conditions(), MySQLBackupStatus.VERIFIED);
    }

    /** When that was tried last, in RFC 3339, whatever came of it; empty for never. */
    public static Optional<String> triedAt(MySQLBackup backup) {
        return Optional.ofNullable(backup.told().verification()).map(VerificationStatus::time);
    }

    /**
     * The one that was tried last, if any.
     *
     * @param verified of those alone that gave back what they hold
     */
    public static Optional<MySQLBackup> lastTried(List<MySQLBackup> all, boolean verified) {
        return all.stream()
                .filter(backup -> triedAt(backup).isPresent() && (!verified || isVerified(backup)))
                .max(Comparator.comparing(backup -> triedAt(backup).orElse("")));
    }

    public static boolean isRunning(MySQLBackup backup) {
        return RUNNING.equals(backup.told().phase());
    }

    static boolean isScheduled(MySQLBackup backup) {
        return backup.getMetadata().getAnnotations() != null
                && backup.getMetadata().getAnnotations().containsKey(ClusterKeys.SCHEDULED_AT.name());
    }

    /** The backups and restores that concern a cluster. */
    public static Catalog catalog(MySQLCluster cluster, StorageImage image, ReconcileContext<MySQLCluster> context) {
        String key = context.key().toString();
        Lister<MySQLBackup> backups = context.lister(MySQLBackup.class);
        List<MySQLRestore> restores = context.lister(MySQLRestore.class).by(RESTORES_BY_CLUSTER, key);
        BootstrapFrom from = cluster.wanted().bootstrapFrom();
        Map<String, MySQLBackup> sources = Stream.concat(
                        Stream.ofNullable(from).map(BootstrapFrom::backupName).flatMap(Stream::ofNullable),
                        restores.stream()
                                .map(restore -> restore.getSpec().backupName())
                                .flatMap(Stream::ofNullable))
                .distinct()
                .flatMap(name -> backups.get(ObjectKey.of(context.key().namespace(), name)).stream())
                .collect(Collectors.toMap(backup -> backup.getMetadata().getName(), backup -> backup));
        BackupSpec spec = cluster.wanted().backup();
        boolean isInS3 =
                restores.stream().anyMatch(restore -> Restores.until(restore).isBeyond())
                        || (from != null && from.storedBackup() != null)
                        || (spec != null && spec.archive() != null)
                        || sources.values().stream()
                                .map(source -> source.told().storage())
                                .anyMatch(storage -> storage != null && storage.s3() != null);
        return new Catalog(
                backups.by(BY_CLUSTER, key),
                restores,
                sources,
                isInS3 ? image.name(context.client()) : Optional.empty());
    }

    /** The one of a cluster that has to be over before another may begin: one that runs, else the oldest that waits. */
    static Optional<MySQLBackup> ahead(MySQLBackup backup, List<MySQLBackup> ofCluster) {
        return ofCluster.stream()
                .filter(other -> !isFinished(other) && !other.isMarkedForDeletion())
                .min(Comparator.comparing((MySQLBackup other) -> !isRunning(other))
                        .thenComparing(other ->
                                Objects.requireNonNullElse(other.getMetadata().getCreationTimestamp(), ""))
                        .thenComparing(other -> other.getMetadata().getName()))
                .filter(first -> !first.getMetadata()
                        .getName()
                        .equals(backup.getMetadata().getName()));
    }
}
