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

    static MySQLRestore complete(MySQLRestore restore, Instant now) {
        Conditions before = Conditions.of(restore, now);
        return with(
                restore,
                Backups.COMPLETE,
                BackupProgress.complete(before, RestoreReasons.DONE, "the primary has the data of the backup"));
    }

    static MySQLRestore failed(MySQLRestore restore, ConditionReason reason, String message, Instant now) {
        return with(restore, Backups.FAILED, BackupProgress.failed(Conditions.of(restore, now), reason, message));
    }

    private static MySQLRestore with(MySQLRestore restore, String phase, List<Condition> conditions) {
        return restore.with(new MySQLRestoreStatus(phase, conditions));
    }
}
