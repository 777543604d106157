package io.busbar.operator.mysqlcluster.backup;

import io.busbar.admission.FieldProblem;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.ClaimRef;
import io.busbar.operator.mysqlcluster.v1alpha1.Mode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What spec.backup of a cluster can be. Pure; any thread. */
public final class BackupRules {

    private static final String PATH = "spec.backup";

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
        schedule(backup, problems);
        storage(backup, problems);
        return problems;
    }

    private static void schedule(BackupSpec backup, List<FieldProblem> problems) {
        try {
            Timetable.zone(backup.timeZone());
        } catch (IllegalArgumentException unknown) {
            problems.add(FieldProblem.invalid(
                    PATH + ".timeZone",
                    text(backup.timeZone()),
                    "must be a name of the IANA database, or left out for UTC"));
        }
        if (backup.schedule() == null) {
            return;
        }
        try {
            Timetable.of(backup.schedule(), null);
        } catch (IllegalArgumentException invalid) {
            problems.add(FieldProblem.invalid(
                    PATH + ".schedule",
                    backup.schedule(),
                    "must be five fields of cron, such as 0 3 * * *: " + invalid.getMessage()));
        }
    }

    private static void storage(BackupSpec backup, List<FieldProblem> problems) {
        BackupStorage storage = backup.storage();
        if (storage == null) {
            if (backup.schedule() != null) {
                problems.add(FieldProblem.required(
                        PATH + ".storage", "a schedule needs a place for its backups: pvc.claimName or hostPath"));
            }
            return;
        }
        if (!Storages.isOnePlace(storage)) {
            ClaimRef claim = storage.pvc();
            problems.add(FieldProblem.invalid(
                    PATH + ".storage",
                    claim == null ? "" : claim.claimName() + ", " + text(storage.hostPath()),
                    "must say pvc.claimName or hostPath, and one of both only"));
        } else if (storage.hostPath() != null && !storage.hostPath().startsWith("/")) {
            problems.add(
                    FieldProblem.invalid(PATH + ".storage.hostPath", storage.hostPath(), "must be an absolute path"));
        }
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
