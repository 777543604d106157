package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Step;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.VerificationSpec;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Asks for the verification of the newest complete backup when that is due. What was asked for stands on the backups:
 * of times that were missed while no operator was there, the last one is caught up on. Pure; any thread.
 */
public final class VerificationSchedule implements Step {

    @Override
    public Next decide(Observation seen, Draft draft) {
        BackupSpec spec = seen.spec().backup();
        VerificationSpec verification = spec == null ? null : spec.verification();
        if (verification != null) {
            due(verification, seen.now(), seen.catalog().backups()).ifPresent(draft::act);
        }
        return Next.GO_ON;
    }

    /**
     * @param spec of one that is not valid, which the webhook does not let pass, nothing comes
     * @param all backups of the cluster
     */
    static Optional<Action.Verify> due(VerificationSpec spec, Instant now, List<MySQLBackup> all) {
        Optional<Instant> last;
        try {
            last = Timetable.of(spec.schedule(), spec.timeZone()).last(now);
        } catch (IllegalArgumentException invalid) {
            return Optional.empty();
        }
        return last.filter(run -> all.stream().noneMatch(backup -> isAskedFor(backup, run)))
                .flatMap(run -> all.stream()
                        .filter(backup -> Backups.isComplete(backup) && !backup.isMarkedForDeletion())
                        .filter(backup -> isThereAt(backup, run))
                        .max(Plan.BY_COMPLETION)
                        .map(backup -> new Action.Verify(backup, run.toString())));
    }

    private static boolean isAskedFor(MySQLBackup backup, Instant run) {
        return ClusterKeys.VERIFY
                .of(backup)
                .flatMap(VerificationSchedule::time)
                .filter(asked -> !asked.isBefore(run))
                .isPresent();
    }

    private static boolean isThereAt(MySQLBackup backup, Instant run) {
        return time(Objects.requireNonNullElse(backup.told().completionTime(), ""))
                .filter(completed -> !completed.isAfter(run))
                .isPresent();
    }

    /** Empty for what people write. */
    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException other) {
            return Optional.empty();
        }
    }
}
