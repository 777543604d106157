package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.topology.ConditionTypes;
import io.busbar.operator.mysqlcluster.topology.Step;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.DeletionPolicy;
import io.busbar.operator.mysqlcluster.v1alpha1.LastBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes backups when they are due, and deletes the oldest of those that it made. What is due stands in the status: of runs that were missed
 * while no operator was there, one is caught up on. The name of a backup says when it was due, so it is not made twice.
 *
 * <p>The backups are not owned by the cluster, so that they outlive it; they are found by {@code spec.clusterName}. Any thread.
 */
public final class Schedule implements Step {

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmm").withZone(ZoneOffset.UTC);

    private static final Comparator<MySQLBackup> BY_COMPLETION = Comparator.comparing(
            backup -> Objects.requireNonNullElse(backup.told().completionTime(), ""));

    @Override
    public Next take(Turn turn) {
        BackupSpec spec = turn.spec().backup();
        List<MySQLBackup> all = turn.context()
                .lister(MySQLBackup.class)
                .by(Backups.BY_CLUSTER, turn.context().key().toString());
        tell(turn, all);
        Timetable timetable = timetable(spec).orElse(null);
        if (spec == null || timetable == null) {
            turn.draft().nextBackupTime(null);
            return Next.GO_ON;
        }
        due(turn, timetable).ifPresent(time -> make(turn, spec, time, all));
        turn.draft()
                .nextBackupTime(
                        timetable.next(turn.now()).map(Instant::toString).orElse(null));
        prune(turn, spec.keep(), all);
        return Next.GO_ON;
    }

    private static void tell(Turn turn, List<MySQLBackup> all) {
        all.stream()
                .filter(Backups::isComplete)
                .max(BY_COMPLETION)
                .ifPresent(last -> turn.draft()
                        .lastBackup(new LastBackup(
                                last.getMetadata().getName(),
                                last.told().completionTime(),
                                last.told().gtid())));
        all.stream().filter(Backups::isFinished).max(BY_COMPLETION).ifPresent(last -> {
            MySQLBackupStatus status = last.told();
            String name = last.getMetadata().getName();
            boolean complete = Backups.isComplete(last);
            turn.draft()
                    .note(
                            ConditionTypes.BACKUP_HEALTHY,
                            complete ? Backups.COMPLETE : Backups.FAILED,
                            complete ? name + " is complete" : name + ": " + status.message());
        });
    }

    /** Those of a schedule that is not valid, which the webhook would not have let pass, are none. */
    private static Optional<Timetable> timetable(@Nullable BackupSpec spec) {
        if (spec == null || spec.suspend() || spec.schedule() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Timetable.of(spec.schedule(), spec.timeZone()));
        } catch (IllegalArgumentException invalid) {
            return Optional.empty();
        }
    }

    /** The last time that has come since what was told to be next; empty if that has not come, or was told by another schedule. */
    private static Optional<Instant> due(Turn turn, Timetable timetable) {
        return Optional.ofNullable(turn.draft().nextBackupTime())
                .map(Instant::parse)
                .filter(next -> !next.isAfter(turn.now()) && timetable.has(next))
                .flatMap(next -> timetable.last(turn.now()));
    }

    private static void make(Turn turn, BackupSpec spec, Instant time, List<MySQLBackup> all) {
        String cluster = turn.cluster().getMetadata().getName();
        String name = cluster + "-" + MINUTE.format(time);
        if (all.stream().anyMatch(backup -> backup.getMetadata().getName().equals(name))) {
            return;
        }
        Optional<MySQLBackup> running =
                all.stream().filter(backup -> !Backups.isFinished(backup)).findFirst();
        if (running.isPresent()) {
            turn.warn(
                    "BackupSkipped",
                    "Schedule",
                    "the backup of " + time + " is left out: "
                            + running.get().getMetadata().getName() + " is not finished");
            return;
        }
        try {
            turn.context()
                    .remember(turn.context()
                            .client()
                            .resource(backup(turn, spec, name, time))
                            .create());
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw failure;
            }
            return;
        }
        turn.tell("BackupScheduled", "Schedule", name);
    }

    private static MySQLBackup backup(Turn turn, BackupSpec spec, String name, Instant time) {
        String cluster = turn.cluster().getMetadata().getName();
        MySQLBackup backup = new MySQLBackup();
        backup.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(turn.cluster().getMetadata().getNamespace())
                .withLabels(ClusterNames.labels(cluster))
                .withAnnotations(Map.of(Backups.SCHEDULED_AT, time.toString()))
                .build());
        backup.setSpec(new MySQLBackupSpec(cluster, spec.databases(), spec.storage(), DeletionPolicy.Delete));
        return backup;
    }

    /** Failed ones are of use only as long as they are newer than all that are kept. */
    private static void prune(Turn turn, int keep, List<MySQLBackup> all) {
        List<MySQLBackup> scheduled = all.stream()
                .filter(backup -> Backups.isScheduled(backup) && !backup.isMarkedForDeletion())
                .toList();
        List<MySQLBackup> complete = scheduled.stream()
                .filter(Backups::isComplete)
                .sorted(BY_COMPLETION.reversed())
                .toList();
        complete.stream().skip(keep).forEach(turn.context()::delete);
        if (complete.size() >= keep) {
            MySQLBackup oldest = complete.get(keep - 1);
            scheduled.stream()
                    .filter(backup -> Backups.isFailed(backup) && BY_COMPLETION.compare(backup, oldest) < 0)
                    .forEach(turn.context()::delete);
        }
    }
}
