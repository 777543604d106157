package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.observe.Catalog;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Objects;
import java.util.Optional;

/**
 * A backup that can be put back.
 *
 * <p>Immutable.
 *
 * @param image what the container runs that reaches the storage; empty where none is needed
 * @param file its path in the storage
 * @param gtid what it holds; empty for none
 * @param whole whether it holds all databases, and the accounts
 */
record StoredBackup(
        String name, BackupStorage storage, String image, String file, String sha256, String gtid, boolean whole) {

    /**
     * Why a backup cannot be put back.
     *
     * @param ofRestore what a restore says then
     * @param ofCluster what a cluster says that was to begin with it
     */
    record Refusal(ConditionReason ofRestore, ConditionReason ofCluster, String message) {

        /** Whether waiting cannot help. */
        boolean isFinal() {
            return ofRestore.type().equals(MySQLBackupStatus.FAILED);
        }
    }

    /**
     * Why not; empty when it can.
     *
     * @param user whom it is put back for: the file of one that is deleted stays for those that were there before
     */
    static Optional<Refusal> refusal(String name, Catalog catalog, HasMetadata user) {
        Optional<MySQLBackup> found = catalog.source(name).filter(backup -> !isDeletedBefore(backup, user));
        if (found.isEmpty()) {
            return Optional.of(new Refusal(
                    RestoreReasons.BACKUP_MISSING,
                    ClusterReasons.BACKUP_MISSING,
                    "there is no MySQLBackup " + name + " in this namespace: name one that is Complete"));
        }
        MySQLBackup backup = found.get();
        if (Backups.isFailed(backup)) {
            return Optional.of(new Refusal(
                    RestoreReasons.BACKUP_FAILED,
                    ClusterReasons.BACKUP_FAILED,
                    "MySQLBackup " + name + " has failed: name one that is Complete"));
        }
        if (!Backups.isComplete(backup)) {
            return Optional.of(new Refusal(
                    RestoreReasons.BACKUP_NOT_COMPLETE,
                    ClusterReasons.BACKUP_NOT_COMPLETE,
                    "waiting for MySQLBackup " + name));
        }
        MySQLBackupStatus status = backup.told();
        if (status.storage() == null || status.file() == null || status.sha256() == null) {
            return Optional.of(new Refusal(
                    RestoreReasons.FILE_UNKNOWN,
                    ClusterReasons.FILE_UNKNOWN,
                    "the status of MySQLBackup " + name + " does not say storage, file and sha256: name another one"));
        }
        if (status.storage().s3() != null && catalog.storageImage().isEmpty()) {
            return Optional.of(new Refusal(
                    RestoreReasons.STORAGE_IMAGE_UNKNOWN,
                    ClusterReasons.STORAGE_IMAGE_UNKNOWN,
                    "MySQLBackup " + name + " is in S3, and " + StorageImage.UNKNOWN));
        }
        return Optional.empty();
    }

    private static boolean isDeletedBefore(MySQLBackup backup, HasMetadata user) {
        String deleted = backup.getMetadata().getDeletionTimestamp();
        String made = user.getMetadata().getCreationTimestamp();
        return deleted != null && made != null && made.compareTo(deleted) >= 0;
    }

    /**
     * @param name of one of which there is no {@link #refusal}
     */
    static StoredBackup of(String name, Catalog catalog) {
        return of(catalog.source(name).orElseThrow(), catalog.storageImage().orElse(""));
    }

    static StoredBackup of(MySQLBackup backup, String image) {
        MySQLBackupStatus status = backup.told();
        return new StoredBackup(
                backup.getMetadata().getName(),
                Objects.requireNonNull(status.storage()),
                image,
                Objects.requireNonNull(status.file()),
                Objects.requireNonNull(status.sha256()),
                Objects.requireNonNullElse(status.gtid(), ""),
                backup.getSpec().databases().isEmpty());
    }
}
