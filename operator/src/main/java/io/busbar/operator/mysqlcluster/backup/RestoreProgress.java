package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestoreStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;

/** What is told of a restore as it comes along. Pure; any thread. */
final class RestoreProgress {

    private RestoreProgress() {}

    static MySQLRestore pending(MySQLRestore restore, ConditionReason reason, String message, Instant now) {
        return with(restore, Backups.PENDING, BackupProgress.unfinished(Conditions.of(restore, now), reason, message));
    }

    static MySQLRestore running(MySQLRestore restore, Instant now) {
        Conditions before = Conditions.of(restore, now);
        return with(
                restore,
                Backups.RUNNING,
                BackupProgress.unfinished(before, RestoreReasons.RUNNING, "the data of the cluster is being replaced"));
    }

    /** @param gtid what it has got; empty where that is not known */
    static MySQLRestore complete(MySQLRestore restore, String gtid, Instant now) {
        MySQLRestoreStatus told = restore.told();
        MySQLRestore ended = restore.with(new MySQLRestoreStatus(
                told.phase(), told.backupName(), gtid.isEmpty() ? null : gtid, told.conditions()));
        String message = "the primary has the data of the backup"
                + (Restores.until(restore).isBeyond()
                        ? ", and what came after it up to "
                                + Restores.until(restore).text()
                        : "");
        return with(
                ended,
                Backups.COMPLETE,
                BackupProgress.complete(Conditions.of(restore, now), RestoreReasons.DONE, message));
    }

    static MySQLRestore failed(MySQLRestore restore, ConditionReason reason, String message, Instant now) {
        return with(restore, Backups.FAILED, BackupProgress.failed(Conditions.of(restore, now), reason, message));
    }

    /** Names the backup that it is about. */
    static MySQLRestore of(MySQLRestore restore, String backup) {
        MySQLRestoreStatus told = restore.told();
        return restore.with(new MySQLRestoreStatus(told.phase(), backup, told.gtid(), told.conditions()));
    }

    private static MySQLRestore with(MySQLRestore restore, String phase, List<Condition> conditions) {
        MySQLRestoreStatus told = restore.told();
        return restore.with(new MySQLRestoreStatus(phase, told.backupName(), told.gtid(), conditions));
    }
}
