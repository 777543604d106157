package io.busbar.operator.mysqlcluster.backup;

import io.busbar.admission.FieldProblem;
import io.busbar.operator.mysqlcluster.v1alpha1.ArchiveSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.Mode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.VerificationSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What spec.backup of a cluster can be. Pure; any thread. */
public final class BackupRules {

    private static final String PATH = "spec.backup";

    /** In seconds: a Job takes some of them. */
    private static final int LEAST_INTERVAL = 10;

    private BackupRules() {}

    /** What is wrong; empty when nothing is. */
    public static List<FieldProblem> problems(MySQLClusterSpec spec) {
        BackupSpec backup = spec.backup();
        if (backup == null) {
            return List.of();
        }
        List<FieldProblem> problems = new ArrayList<>();
        if (spec.mode() == Mode.Simple) {
            problems.add(FieldProblem.forbidden(PATH, "is only for spec.mode Replicated"));
        }
        problems.addAll(times(PATH, backup.schedule(), backup.timeZone()));
        VerificationSpec verification = backup.verification();
        if (verification != null) {
            problems.addAll(times(PATH + ".verification", verification.schedule(), verification.timeZone()));
        }
        storage(backup, problems);
        archive(backup, problems);
        return problems;
    }

    /**
     * What is wrong with a timetable.
     *
     * @param path of the field with {@code schedule} and {@code timeZone}
     */
    public static List<FieldProblem> times(String path, @Nullable String schedule, @Nullable String timeZone) {
        List<FieldProblem> problems = new ArrayList<>();
        try {
            Timetable.zone(timeZone);
        } catch (IllegalArgumentException unknown) {
            problems.add(FieldProblem.invalid(
                    path + ".timeZone", text(timeZone), "must be a name of the IANA database, or left out for UTC"));
        }
        try {
            if (schedule != null) {
                Timetable.of(schedule, null);
            }
        } catch (IllegalArgumentException invalid) {
            problems.add(FieldProblem.invalid(
                    path + ".schedule",
                    schedule,
                    "must be five fields of cron, such as 0 3 * * *: " + invalid.getMessage()));
        }
        return problems;
    }

    private static void storage(BackupSpec backup, List<FieldProblem> problems) {
        BackupStorage storage = backup.storage();
        if (storage == null) {
            if (backup.schedule() != null) {
                problems.add(FieldProblem.required(
                        PATH + ".storage", "a schedule needs a place for its backups: pvc.claimName, hostPath or s3"));
            }
            return;
        }
        problems.addAll(StorageRules.problems(PATH + ".storage", storage));
    }

    private static void archive(BackupSpec backup, List<FieldProblem> problems) {
        ArchiveSpec archive = backup.archive();
        if (archive == null) {
            return;
        }
        BackupStorage storage = backup.storage();
        if (storage == null || storage.s3() == null) {
            problems.add(FieldProblem.forbidden(
                    PATH + ".archive", "needs " + PATH + ".storage.s3: binary logs are archived in a bucket only"));
        }
        if (archive.intervalSeconds() < LEAST_INTERVAL) {
            problems.add(FieldProblem.invalid(
                    PATH + ".archive.intervalSeconds",
                    String.valueOf(archive.intervalSeconds()),
                    "must be at least " + LEAST_INTERVAL));
        }
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
