package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.v1alpha1.BackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a schedule asks for at a moment.
 *
 * <p>Immutable, but for the backups.
 *
 * @param due the run that a backup is to be made for, if it has not been made: of several that were missed, the last
 * @param next the first run after now
 * @param outdated backups that the schedule made, and that are kept no longer
 */
record Plan(Optional<Instant> due, Optional<Instant> next, List<MySQLBackup> outdated) {

    static final Plan NOTHING = new Plan(Optional.empty(), Optional.empty(), List.of());

    static final Comparator<MySQLBackup> BY_COMPLETION = Comparator.comparing(
            backup -> Objects.requireNonNullElse(backup.told().completionTime(), ""));

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmm").withZone(ZoneOffset.UTC);

    /**
     * @param spec that has a schedule; of one that is not valid, which the webhook does not let pass, nothing comes
     * @param told which run was said to come next; a time that this schedule does not have was told of another one
     * @param all backups of the cluster
     */
    static Plan of(BackupSpec spec, @Nullable String told, Instant now, List<MySQLBackup> all) {
        if (spec.suspend() || spec.schedule() == null) {
            return NOTHING;
        }
        Timetable timetable;
        try {
            timetable = Timetable.of(spec.schedule(), spec.timeZone());
        } catch (IllegalArgumentException invalid) {
            return NOTHING;
        }
        Optional<Instant> due = Optional.ofNullable(told)
                .map(Instant::parse)
                .filter(time -> !time.isAfter(now) && timetable.has(time))
                .flatMap(time -> timetable.last(now));
        return new Plan(due, timetable.next(now), outdated(spec, now, all));
    }

    /** The same for the same run, so that it is not made twice. */
    static String name(String cluster, Instant run) {
        return cluster + "-" + MINUTE.format(run);
    }

    /** Failed ones are of use only as long as they are newer than all that are kept. */
    private static List<MySQLBackup> outdated(BackupSpec spec, Instant now, List<MySQLBackup> all) {
        List<MySQLBackup> scheduled = all.stream()
                .filter(backup -> Backups.isScheduled(backup) && !backup.isMarkedForDeletion())
                .toList();
        List<MySQLBackup> complete = scheduled.stream()
                .filter(Backups::isComplete)
                .sorted(BY_COMPLETION.reversed())
                .toList();
        long young = spec.keepDays() == null
                ? complete.size()
                : complete.stream()
                        .filter(backup -> isSince(backup, now.minus(Duration.ofDays(spec.keepDays()))))
                        .count();
        // Without a backup, it does not help that it would be too old.
        int keep = (int) Math.min(spec.keep(), Math.max(1, young));
        if (complete.size() < keep || complete.isEmpty()) {
            return List.of();
        }
        MySQLBackup oldest = complete.get(keep - 1);
        return Stream.concat(
                        complete.stream().skip(keep).filter(backup -> !isLastResort(backup, complete)),
                        scheduled.stream()
                                .filter(Backups::isFailed)
                                .filter(failed -> BY_COMPLETION.compare(failed, oldest) < 0))
                .toList();
    }

    /** Whether it is the last one that is known to be of use. */
    private static boolean isLastResort(MySQLBackup backup, List<MySQLBackup> newestFirst) {
        return newestFirst.stream()
                .filter(Backups::isVerified)
                .findFirst()
                .map(last -> last.getMetadata().getName())
                .filter(backup.getMetadata().getName()::equals)
                .isPresent();
    }

    private static boolean isSince(MySQLBackup backup, Instant time) {
        String completed = backup.told().completionTime();
        return completed == null || !Instant.parse(completed).isBefore(time);
    }
}
