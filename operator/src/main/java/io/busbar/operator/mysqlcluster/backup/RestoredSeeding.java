package io.busbar.operator.mysqlcluster.backup;

import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Seeding;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.BootstrapFrom;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Lets a new cluster begin with the data of a backup, where it asks for one. A server that stands where the backup
 * stands was given it, by an operator that has ended since. One that has anything else has a volume that is older than
 * the cluster: it is neither touched nor passed off as the backup.
 *
 * <p>The accounts of the cluster, root among them, stay what its own Secret says; the others come with the backup.
 * Pure; any thread.
 */
public final class RestoredSeeding implements Seeding {

    /** Before what failed is tried again. */
    private static final Duration PAUSE = Duration.ofSeconds(30);

    @Override
    public boolean isSeeded(Observation seen, Member first, Draft draft) {
        BootstrapFrom from = seen.spec().bootstrapFrom();
        if (from == null) {
            return true;
        }
        Optional<MySQLBackup> backup = seen.catalog().source(from.backupName());
        Optional<Job> job = seen.job(name(seen)).filter(one -> !one.isMarkedForDeletion());
        if (job.isEmpty() && !first.isBlank() && !first.isIncomplete()) {
            return isRestored(seen, draft, first, from, backup);
        }
        Optional<StoredBackup.Refusal> refusal = StoredBackup.refusal(from.backupName(), backup);
        if (refusal.isPresent()) {
            draft.note(
                    refusal.get().ofCluster(),
                    "spec.bootstrapFrom: " + refusal.get().message());
            return false;
        }
        StoredBackup stored = StoredBackup.of(backup.orElseThrow());
        if (job.isEmpty()) {
            begin(seen, draft, first, stored);
        } else {
            follow(seen, draft, first, stored, job.get());
        }
        return false;
    }

    /** Whether what a server has is the backup and nothing else; says what to do where it is not. */
    private static boolean isRestored(
            Observation seen, Draft draft, Member first, BootstrapFrom from, Optional<MySQLBackup> backup) {
        ServerState has = first.state().orElseThrow();
        Optional<String> position =
                backup.flatMap(one -> Optional.ofNullable(one.told().gtid()));
        if (position.filter(gtid -> stands(has, gtid)).isPresent()) {
            return true;
        }
        String claims = seen.members().all().stream()
                .map(member -> ClusterNames.claimPrefix(seen.name()) + member.ordinal())
                .collect(Collectors.joining(", "));
        draft.trouble(
                ClusterReasons.VOLUMES_HAVE_DATA,
                "VolumesHaveData",
                "Bootstrap",
                first.name() + " has data already, up to " + has.history().text()
                        + ", which is not that of MySQLBackup "
                        + from.backupName()
                        + position.map(gtid -> ", up to " + gtid).orElse("")
                        + ": to begin with the backup, delete the PersistentVolumeClaims " + claims
                        + " and their Pods; to go on with what is there, leave spec.bootstrapFrom out");
        return false;
    }

    private static boolean stands(ServerState has, String gtid) {
        try {
            Position backup = Position.of(has.flavor(), gtid);
            return backup.contains(has.history()) && has.history().contains(backup);
        } catch (IllegalArgumentException ofAnotherProduct) {
            return false;
        }
    }

    /** Whatever an earlier attempt has left goes first. */
    private static void begin(Observation seen, Draft draft, Member first, StoredBackup stored) {
        Optional<String> failure = seen.memory()
                .failure(Action.StandStill.class, first)
                .or(() -> seen.memory().failure(Action.Erase.class, first));
        if (failure.isPresent()) {
            draft.note(ClusterReasons.RESTORE_FAILED, failure.get());
        } else if (!seen.memory().hasTried(Action.Erase.class, first)) {
            draft.act(new Action.StandStill(first), new Action.Erase(first));
        } else {
            draft.act(new Action.StartJob(BackupJobs.load(
                    seen.cluster(),
                    name(seen),
                    stored,
                    first.endpoint().orElseThrow(),
                    first.state().orElseThrow())));
        }
    }

    private static void follow(Observation seen, Draft draft, Member first, StoredBackup stored, Job job) {
        JobReport report = seen.report(job);
        switch (report.state()) {
            case RUNNING -> {}
            case FAILED -> {
                String message = stored.name() + ": " + report.text("message");
                note(draft, message + "; it is tried again: mend its storage, or make a cluster of another backup");
                if (Duration.between(report.since(), seen.steadily()).compareTo(PAUSE) > 0) {
                    draft.warn("RestoreFailed", "Restore", message);
                    draft.act(new Action.DeleteJob(job));
                }
            }
            case SUCCEEDED -> {
                Optional<String> failure = seen.memory().failure(Action.Seed.class, first);
                if (failure.isPresent()) {
                    note(draft, failure.get());
                    return;
                }
                draft.act(new Action.Seed(first, stored.gtid()));
                draft.tell(
                        "Restored",
                        "Restore",
                        first.name() + " has the data of " + stored.name() + ", at " + stored.gtid());
                draft.act(new Action.DeleteJob(job));
            }
        }
    }

    private static void note(Draft draft, String message) {
        draft.note(ClusterReasons.RESTORE_FAILED, message);
    }

    private static String name(Observation seen) {
        return JobNames.of(seen.name(), "bootstrap");
    }
}
