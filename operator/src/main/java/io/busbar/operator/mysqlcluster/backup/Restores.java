package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/** The restores of a cluster. Pure; any thread. */
final class Restores {

    private static final Comparator<MySQLRestore> OLDEST = Comparator.comparing((MySQLRestore restore) ->
                    Objects.requireNonNullElse(restore.getMetadata().getCreationTimestamp(), ""))
            .thenComparing(restore -> restore.getMetadata().getName());

    private Restores() {}

    static boolean isComplete(MySQLRestore restore) {
        return Conditions.isTrue(restore.told().conditions(), MySQLBackupStatus.COMPLETE);
    }

    static boolean isFinished(MySQLRestore restore) {
        return isComplete(restore) || Conditions.isTrue(restore.told().conditions(), MySQLBackupStatus.FAILED);
    }

    /** Whether it may still read that backup. */
    static boolean needs(MySQLRestore restore, MySQLBackup backup) {
        String name = backup.getMetadata().getName();
        boolean isNamed = name.equals(restore.told().backupName())
                || name.equals(restore.getSpec().backupName());
        return isNamed && !isFinished(restore) && !restore.isMarkedForDeletion();
    }

    /** The oldest that is not finished. */
    static Optional<MySQLRestore> next(Observation seen) {
        return seen.catalog().restores().stream()
                .filter(restore -> !isFinished(restore) && !restore.isMarkedForDeletion())
                .min(OLDEST);
    }

    /** How far it goes beyond the backup. */
    static Until until(MySQLRestore restore) {
        return new Until(restore.getSpec().pointInTime(), restore.getSpec().gtid());
    }

    /**
     * The backup that it is about: the one that it was said to be, that it names, or the last one before where it goes to.
     *
     * @return empty where there is none
     */
    static Optional<String> backup(Observation seen, MySQLRestore restore) {
        return Optional.ofNullable(restore.told().backupName())
                .or(() -> Optional.ofNullable(restore.getSpec().backupName()))
                .or(() -> seen.catalog().backups().stream()
                        .filter(backup -> Backups.isComplete(backup) && isWholeInS3(backup))
                        .filter(backup -> isBefore(seen, until(restore), backup.told()))
                        .max(Comparator.comparing(backup ->
                                Objects.requireNonNullElse(backup.told().completionTime(), "")))
                        .map(backup -> backup.getMetadata().getName()));
    }

    private static boolean isWholeInS3(MySQLBackup backup) {
        BackupStorage storage = backup.told().storage();
        return backup.getSpec().databases().isEmpty() && storage != null && storage.s3() != null;
    }

    private static boolean isBefore(Observation seen, Until until, MySQLBackupStatus backup) {
        String moment = until.pointInTime();
        String gtid = until.gtid();
        if (moment != null) {
            return backup.completionTime() != null
                    && !Instant.parse(backup.completionTime()).isAfter(RestoreRules.instant(moment));
        }
        ServerState.Flavor flavor =
                seen.primary().flatMap(Member::state).map(ServerState::flavor).orElse(null);
        try {
            return flavor != null
                    && gtid != null
                    && backup.gtid() != null
                    && Position.of(flavor, gtid).reaches(Position.of(flavor, backup.gtid()));
        } catch (IllegalArgumentException ofAnotherProduct) {
            return false;
        }
    }

    /** Has the status written, if it is another one. */
    static void tell(Draft draft, MySQLRestore before, MySQLRestore after) {
        if (!before.told().equals(after.told())) {
            draft.act(new Action.TellRestore(before, after.told()));
        }
    }

    /** Says that nothing will come of it. */
    static void fail(Observation seen, Draft draft, MySQLRestore restore, ConditionReason reason, String message) {
        fail(seen, draft, restore, restore, reason, message);
    }

    /** @param named the same, with what was found out of it */
    static void fail(
            Observation seen,
            Draft draft,
            MySQLRestore restore,
            MySQLRestore named,
            ConditionReason reason,
            String message) {
        tell(draft, restore, RestoreProgress.failed(named, reason, message, seen.now()));
        draft.warn("RestoreFailed", "Restore", restore.getMetadata().getName() + ": " + message);
        draft.act(new Action.Tell(restore, true, "RestoreFailed", "Restore", message));
    }
}
