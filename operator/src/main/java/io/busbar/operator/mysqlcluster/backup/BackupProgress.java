package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is told of a backup as it comes along. Pure; any thread. */
final class BackupProgress {

    /** A condition always says something: the API server takes none without a message. */
    static final String NOT_FAILED = "it has not failed";

    private BackupProgress() {}

    static MySQLBackup waiting(MySQLBackup backup, String reason, String message, Instant now) {
        return backup.with(new MySQLBackupStatus(
                Backups.PENDING,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                outcomes(
                        backup.told().conditions(),
                        new Outcome(false, reason, message),
                        new Outcome(false, reason, NOT_FAILED),
                        backup,
                        now)));
    }

    /**
     * @param source the Pod that is copied
     * @param startTime in RFC 3339
     */
    static MySQLBackup running(
            MySQLBackup backup, String source, @Nullable BackupStorage storage, String startTime, Instant now) {
        return backup.with(new MySQLBackupStatus(
                Backups.RUNNING,
                startTime,
                null,
                source,
                null,
                null,
                null,
                null,
                null,
                storage,
                outcomes(
                        backup.told().conditions(),
                        new Outcome(false, "Running", source + " is copied"),
                        new Outcome(false, "Running", NOT_FAILED),
                        backup,
                        now)));
    }

    static MySQLBackup complete(MySQLBackup running, JobReport report, Instant now) {
        MySQLBackupStatus before = running.told();
        return running.with(new MySQLBackupStatus(
                Backups.COMPLETE,
                before.startTime(),
                seconds(now),
                before.source(),
                report.text("gtid"),
                report.text("file"),
                Long.valueOf(report.text("sizeBytes")),
                report.text("sha256"),
                null,
                before.storage(),
                outcomes(
                        before.conditions(),
                        new Outcome(true, "Complete", report.text("file") + " is complete"),
                        new Outcome(false, "Complete", NOT_FAILED),
                        running,
                        now)));
    }

    static MySQLBackup failed(MySQLBackup backup, String reason, String message, Instant now) {
        MySQLBackupStatus before = backup.told();
        return backup.with(new MySQLBackupStatus(
                Backups.FAILED,
                before.startTime(),
                seconds(now),
                before.source(),
                null,
                null,
                null,
                null,
                message,
                before.storage(),
                outcomes(
                        before.conditions(),
                        new Outcome(false, reason, message),
                        new Outcome(true, reason, message),
                        backup,
                        now)));
    }

    static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Whether a condition holds, and why. */
    record Outcome(boolean holds, String reason, String message) {}

    static List<Condition> outcomes(
            List<Condition> before, Outcome complete, Outcome failed, HasMetadata object, Instant now) {
        return Conditions.with(
                Conditions.with(before, condition(MySQLBackupStatus.COMPLETE, complete, object), now),
                condition(MySQLBackupStatus.FAILED, failed, object),
                now);
    }

    private static Condition condition(String type, Outcome outcome, HasMetadata object) {
        return new ConditionBuilder()
                .withType(type)
                .withStatus(outcome.holds() ? "True" : "False")
                .withReason(outcome.reason())
                .withMessage(outcome.message())
                .withObservedGeneration(
                        Objects.requireNonNullElse(object.getMetadata().getGeneration(), 0L))
                .build();
    }
}
