package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import java.util.Objects;
import java.util.Optional;

/**
 * A backup that can be put back.
 *
 * <p>Immutable.
 *
 * @param file its path in the storage
 * @param gtid what it holds; empty for none
 * @param whole whether it holds all databases, and the accounts
 */
record StoredBackup(String name, BackupStorage storage, String file, String sha256, String gtid, boolean whole) {

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

    /** Why not; empty when it can. */
    static Optional<Refusal> refusal(String name, Optional<MySQLBackup> found) {
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
        return Optional.empty();
    }

    /**
     * @param backup of which there is no {@link #refusal}
     */
    static StoredBackup of(MySQLBackup backup) {
        MySQLBackupStatus status = backup.told();
        return new StoredBackup(
                backup.getMetadata().getName(),
                Objects.requireNonNull(status.storage()),
                Objects.requireNonNull(status.file()),
                Objects.requireNonNull(status.sha256()),
                Objects.requireNonNullElse(status.gtid(), ""),
                backup.getSpec().databases().isEmpty());
    }
}
