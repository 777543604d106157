package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Step;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.DeletionPolicy;
import io.busbar.operator.mysqlcluster.v1alpha1.LastBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackupSpec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes backups when they are due, and deletes the oldest of those that it made. What is due stands in the status: of
 * runs that were missed while no operator was there, one is caught up on. The name of a backup says when it was due, so
 * it is not made twice.
 *
 * <p>The backups are not owned by the cluster, so that they outlive it; they are found by {@code spec.clusterName}.
 * Pure; any thread.
 */
public final class Schedule implements Step {

    /** What the condition BackupHealthy tells. */
    record Health(ConditionReason reason, String message) {}

    @Override
    public Next decide(Observation seen, Draft draft) {
        BackupSpec spec = seen.spec().backup();
        List<MySQLBackup> all = seen.catalog().backups();
        tell(draft, spec, all);
        Plan plan = spec == null ? Plan.NOTHING : Plan.of(spec, seen.progress().nextBackupTime(), seen.now(), all);
        if (spec != null) {
            plan.due().ifPresent(run -> make(seen, draft, spec, run, all));
        }
        String next = plan.next().map(Instant::toString).orElse(null);
        draft.progress(progress -> progress.withNextBackupTime(next));
        plan.outdated().stream()
                .filter(backup ->
                        seen.catalog().restores().stream().noneMatch(restore -> Restores.needs(restore, backup)))
                .forEach(backup -> draft.act(new Action.Delete(backup)));
        return Next.GO_ON;
    }

    private static void tell(Draft draft, @Nullable BackupSpec spec, List<MySQLBackup> all) {
        LastBackup told = last(spec, all)
                .map(last -> new LastBackup(
                        last.getMetadata().getName(),
                        last.told().completionTime(),
                        last.told().gtid()))
                .orElse(null);
        draft.progress(progress -> progress.withLastBackup(told));
        health(all).ifPresent(health -> draft.note(health.reason(), health.message()));
    }

    /**
     * The newest one that is there to be put back, as far as anybody knows: one of all databases, or of those that the
     * schedule asks for.
     */
    static Optional<MySQLBackup> last(@Nullable BackupSpec spec, List<MySQLBackup> all) {
        List<String> wanted = spec == null ? List.of() : spec.databases();
        return all.stream()
                .filter(backup -> Backups.isComplete(backup)
                        && !backup.isMarkedForDeletion()
                        && (Backups.triedAt(backup).isEmpty() || Backups.isVerified(backup)))
                .filter(backup -> {
                    List<String> databases = backup.getSpec().databases();
                    return databases.isEmpty() || (!wanted.isEmpty() && databases.containsAll(wanted));
                })
                .max(Plan.BY_COMPLETION);
    }

    /** Of the last one that has ended; where that is complete, of the last one that was loaded to verify it. */
    static Optional<Health> health(List<MySQLBackup> all) {
        return all.stream().filter(Backups::isFinished).max(Plan.BY_COMPLETION).map(last -> {
            if (Backups.isFailed(last)) {
                return new Health(
                        ClusterReasons.LAST_BACKUP_FAILED,
                        name(last) + ": " + last.told().message());
            }
            return Backups.lastTried(all, false)
                    .filter(tried -> !Backups.isVerified(tried))
                    .map(tried -> new Health(
                            ClusterReasons.LAST_VERIFICATION_FAILED,
                            name(tried) + " was not verified: "
                                    + Objects.requireNonNull(tried.told().verification())
                                            .message()))
                    .orElseGet(() -> new Health(ClusterReasons.LAST_BACKUP_COMPLETE, name(last) + " is complete"));
        });
    }

    private static String name(MySQLBackup backup) {
        return backup.getMetadata().getName();
    }

    private static void make(Observation seen, Draft draft, BackupSpec spec, Instant run, List<MySQLBackup> all) {
        String name = Plan.name(seen.name(), run);
        if (all.stream().anyMatch(backup -> backup.getMetadata().getName().equals(name))) {
            return;
        }
        Optional<MySQLBackup> running =
                all.stream().filter(backup -> !Backups.isFinished(backup)).findFirst();
        if (running.isPresent()) {
            draft.warn(
                    "BackupSkipped",
                    "Schedule",
                    "the backup of " + run + " is left out: "
                            + running.get().getMetadata().getName() + " is not finished");
            return;
        }
        draft.act(new Action.MakeBackup(backup(seen, spec, name, run)));
        draft.tell("BackupScheduled", "Schedule", name);
    }

    private static MySQLBackup backup(Observation seen, BackupSpec spec, String name, Instant time) {
        String cluster = seen.name();
        MySQLBackup backup = new MySQLBackup();
        backup.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(seen.cluster().getMetadata().getNamespace())
                .withLabels(ClusterNames.labels(cluster))
                .withAnnotations(Map.of(ClusterKeys.SCHEDULED_AT.name(), time.toString()))
                .build());
        backup.setSpec(new MySQLBackupSpec(cluster, spec.databases(), spec.storage(), DeletionPolicy.Delete));
        return backup;
    }
}
