package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.backup.BackupProgress.Outcome;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestoreStatus;
import java.time.Instant;

/** What is told of a restore as it comes along. Pure; any thread. */
final class RestoreProgress {

    private RestoreProgress() {}

    static MySQLRestore pending(MySQLRestore restore, String reason, String message, Instant now) {
        return with(
                restore,
                Backups.PENDING,
                new Outcome(false, reason, message),
                new Outcome(false, reason, BackupProgress.NOT_FAILED),
                now);
    }

    static MySQLRestore running(MySQLRestore restore, Instant now) {
        return with(
                restore,
                Backups.RUNNING,
                new Outcome(false, "Running", "the data of the cluster is being replaced"),
                new Outcome(false, "Running", BackupProgress.NOT_FAILED),
                now);
    }

    static MySQLRestore complete(MySQLRestore restore, Instant now) {
        return with(
                restore,
                Backups.COMPLETE,
                new Outcome(true, "Complete", "the primary has the data of the backup"),
                new Outcome(false, "Complete", BackupProgress.NOT_FAILED),
                now);
    }

    static MySQLRestore failed(MySQLRestore restore, String reason, String message, Instant now) {
        return with(
                restore, Backups.FAILED, new Outcome(false, reason, message), new Outcome(true, reason, message), now);
    }

    private static MySQLRestore with(
            MySQLRestore restore, String phase, Outcome complete, Outcome failed, Instant now) {
        return restore.with(new MySQLRestoreStatus(
                phase, BackupProgress.outcomes(restore.told().conditions(), complete, failed, restore, now)));
    }
}
