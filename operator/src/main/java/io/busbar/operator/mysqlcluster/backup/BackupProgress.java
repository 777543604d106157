package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is told of a backup as it comes along. Pure; any thread. */
final class BackupProgress {

    /** A condition always says something: the API server takes none without a message. */
    private static final String NOT_FAILED = "it has not failed";

    private BackupProgress() {}

    static MySQLBackup waiting(MySQLBackup backup, ConditionReason reason, String message, Instant now) {
        return backup.with(new MySQLBackupStatus.Builder()
                .phase(Backups.PENDING)
                .conditions(unfinished(Conditions.of(backup, now), reason, message))
                .build());
    }

    /**
     * @param source the Pod that is copied
     * @param startTime in RFC 3339
     */
    static MySQLBackup running(
            MySQLBackup backup, String source, @Nullable BackupStorage storage, String startTime, Instant now) {
        return backup.with(new MySQLBackupStatus.Builder()
                .phase(Backups.RUNNING)
                .source(source, startTime)
                .storage(storage)
                .conditions(unfinished(Conditions.of(backup, now), BackupReasons.RUNNING, source + " is copied"))
                .build());
    }

    static MySQLBackup complete(MySQLBackup running, JobReport report, Instant now) {
        String file = report.text("file");
        return running.with(running.told().toBuilder()
                .phase(Backups.COMPLETE)
                .ended(seconds(now))
                .copy(file, Long.parseLong(report.text("sizeBytes")), report.text("sha256"), report.text("gtid"))
                .conditions(complete(Conditions.of(running, now), BackupReasons.DONE, file + " is complete"))
                .build());
    }

    static MySQLBackup failed(MySQLBackup backup, ConditionReason reason, String message, Instant now) {
        return backup.with(backup.told().toBuilder()
                .phase(Backups.FAILED)
                .ended(seconds(now))
                .message(message)
                .conditions(failed(Conditions.of(backup, now), reason, message))
                .build());
    }

    static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Of a backup or a restore. */
    static List<Condition> unfinished(Conditions before, ConditionReason reason, String message) {
        return both(before, false, message, false, NOT_FAILED, reason);
    }

    /** Of a backup or a restore. */
    static List<Condition> complete(Conditions before, ConditionReason reason, String message) {
        return both(before, true, message, false, NOT_FAILED, reason);
    }

    /** Of a backup or a restore. */
    static List<Condition> failed(Conditions before, ConditionReason reason, String message) {
        return both(before, false, message, true, message, reason);
    }

    private static List<Condition> both(
            Conditions before,
            boolean complete,
            String completeMessage,
            boolean failed,
            String failedMessage,
            ConditionReason reason) {
        return before.with(MySQLBackupStatus.COMPLETE, complete, reason.reason(), completeMessage)
                .with(MySQLBackupStatus.FAILED, failed, reason.reason(), failedMessage)
                .list();
    }
}
