package io.busbar.operator.mysqlcluster.backup;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Validator;
import io.busbar.admission.Verdict;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestoreSpec;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a MySQLRestore can be, and how far anything is restored. Any thread. */
public final class RestoreRules implements Validator<MySQLRestore> {

    private final Clock clock;

    public RestoreRules(Clock clock) {
        this.clock = clock;
    }

    @Override
    public Verdict create(MySQLRestore restore, AdmissionRequest request) {
        return Verdict.of(problems(restore.getSpec(), clock.instant()));
    }

    /** What was let through by an older operator must not keep its author from changing something else. */
    @Override
    public Verdict update(MySQLRestore before, MySQLRestore after, AdmissionRequest request) {
        return before.getSpec().equals(after.getSpec()) ? Verdict.of(List.of()) : create(after, request);
    }

    /** What is wrong; empty when nothing is. */
    static List<FieldProblem> problems(MySQLRestoreSpec spec, Instant now) {
        if (spec.backupName() == null && spec.pointInTime() == null && spec.gtid() == null) {
            return List.of(FieldProblem.required(
                    "spec.backupName", "must be the backup to restore, unless pointInTime or gtid is given"));
        }
        return until("spec", spec.pointInTime(), spec.gtid(), now);
    }

    /**
     * What is wrong with how far something is restored.
     *
     * @param path of the field that has both
     */
    public static List<FieldProblem> until(
            String path, @Nullable String pointInTime, @Nullable String gtid, Instant now) {
        if (pointInTime != null && gtid != null) {
            return List.of(FieldProblem.forbidden(path + ".gtid", "must be left out where pointInTime is given"));
        }
        List<FieldProblem> problems = new ArrayList<>();
        if (pointInTime != null) {
            ofMoment(path + ".pointInTime", pointInTime, now, problems);
        }
        if (gtid != null && Stream.of(Flavor.values()).noneMatch(flavor -> isPosition(flavor, gtid))) {
            problems.add(FieldProblem.invalid(
                    path + ".gtid",
                    gtid,
                    "must be a GTID set of MySQL, or a position of MariaDB, such as 0-101-57, and not empty"));
        }
        return problems;
    }

    private static void ofMoment(String path, String pointInTime, Instant now, List<FieldProblem> problems) {
        try {
            Instant moment = instant(pointInTime);
            if (moment.isAfter(now)) {
                problems.add(FieldProblem.invalid(path, pointInTime, "must be in the past: it is " + now + " now"));
            }
        } catch (DateTimeException invalid) {
            problems.add(FieldProblem.invalid(
                    path, pointInTime, "must be a time with a date and a zone, such as 2026-01-31T23:59:59Z"));
        }
    }

    /** @throws DateTimeException when it is none */
    static Instant instant(String pointInTime) {
        return OffsetDateTime.parse(pointInTime).toInstant();
    }

    static boolean isPosition(Flavor flavor, String gtid) {
        try {
            return !Position.of(flavor, gtid).isEmpty();
        } catch (IllegalArgumentException otherwise) {
            return false;
        }
    }
}
