package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.ObjectKey;
import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.topology.ClusterReasons;
import io.busbar.operator.mysqlcluster.topology.Seeding;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.BootstrapFrom;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Lets a new cluster begin with the data of a backup, where it asks for one. A server that stands where the backup stands was given it, by an operator
 * that has ended since. One that has anything else has a volume that is older than the cluster: it is neither touched nor passed off as the backup.
 *
 * <p>The accounts of the cluster, root among them, stay what its own Secret says; the others come with the backup. Any thread.
 */
public final class RestoredSeeding implements Seeding {

    /** Before what failed is tried again. */
    private static final Duration PAUSE = Duration.ofSeconds(30);

    @Override
    public boolean isSeeded(Turn turn, Member first) throws InterruptedException {
        BootstrapFrom from = turn.spec().bootstrapFrom();
        if (from == null) {
            return true;
        }
        Optional<MySQLBackup> backup = turn.context()
                .lister(MySQLBackup.class)
                .get(ObjectKey.of(turn.context().key().namespace(), from.backupName()));
        Optional<Job> job = job(turn);
        if (job.isEmpty() && !first.isBlank() && !first.isIncomplete()) {
            return isRestored(turn, first, from, backup);
        }
        Optional<StoredBackup.Refusal> refusal = StoredBackup.refusal(from.backupName(), backup);
        if (refusal.isPresent()) {
            note(
                    turn,
                    refusal.get().ofCluster(),
                    "spec.bootstrapFrom: " + refusal.get().message());
            return false;
        }
        StoredBackup stored = StoredBackup.of(backup.orElseThrow());
        try {
            if (job.isEmpty()) {
                begin(turn, first, stored);
                return false;
            }
            return follow(turn, first, stored, job.get());
        } catch (SqlFailure failure) {
            note(turn, ClusterReasons.RESTORE_FAILED, String.valueOf(failure.getMessage()));
            return false;
        }
    }

    /** Whether what a server has is the backup and nothing else; says what to do where it is not. */
    private static boolean isRestored(Turn turn, Member first, BootstrapFrom from, Optional<MySQLBackup> backup) {
        ServerState has = first.state().orElseThrow();
        Optional<String> position =
                backup.flatMap(one -> Optional.ofNullable(one.told().gtid()));
        if (position.filter(gtid -> stands(has, gtid)).isPresent()) {
            return true;
        }
        String claims = turn.members().all().stream()
                .map(member -> ClusterNames.claimPrefix(turn.context().key().name()) + member.ordinal())
                .collect(Collectors.joining(", "));
        turn.trouble(
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
    private static void begin(Turn turn, Member first, StoredBackup stored) throws SqlFailure, InterruptedException {
        ServerState erased;
        try (DatabaseServer server = turn.fleet().connect(first)) {
            server.makeReadOnly();
            server.erase();
            erased = server.observe();
        }
        turn.context()
                .create(BackupJobs.load(
                        turn.cluster(), name(turn), stored, first.endpoint().orElseThrow(), erased));
    }

    private static boolean follow(Turn turn, Member first, StoredBackup stored, Job job)
            throws SqlFailure, InterruptedException {
        JobReport report = JobReport.of(job, turn.context().client());
        switch (report.state()) {
            case RUNNING -> {
                return false;
            }
            case FAILED -> {
                String message = stored.name() + ": " + report.text("message");
                note(
                        turn,
                        ClusterReasons.RESTORE_FAILED,
                        message + "; it is tried again: mend its storage, or make a cluster of another backup");
                if (Duration.between(Instant.parse(job.getMetadata().getCreationTimestamp()), turn.now())
                                .compareTo(PAUSE)
                        > 0) {
                    turn.warn("RestoreFailed", "Restore", message);
                    ClusterJobs.delete(job, turn.context());
                }
                return false;
            }
            case SUCCEEDED -> {
                try (DatabaseServer server = turn.fleet().connect(first)) {
                    server.createAccounts(turn.fleet().accounts());
                    server.seed(stored.gtid());
                }
                turn.tell(
                        "Restored",
                        "Restore",
                        first.name() + " has the data of " + stored.name() + ", at " + stored.gtid());
                ClusterJobs.delete(job, turn.context());
                return true;
            }
        }
        throw new IllegalStateException(report.state().toString());
    }

    private static void note(Turn turn, ConditionReason reason, String message) {
        turn.draft().note(reason, message);
    }

    private static Optional<Job> job(Turn turn) {
        return turn.context().owned(Job.class).stream()
                .filter(job -> job.getMetadata().getName().equals(name(turn)) && !job.isMarkedForDeletion())
                .findFirst();
    }

    private static String name(Turn turn) {
        return JobNames.of(turn.cluster().getMetadata().getName(), "bootstrap");
    }
}
