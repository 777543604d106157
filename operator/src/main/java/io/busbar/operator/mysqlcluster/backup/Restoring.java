package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.ObjectKey;
import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.topology.ClusterReasons;
import io.busbar.operator.mysqlcluster.topology.Step;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Optional;

/**
 * Puts a backup back into a cluster that has data: verifies the file, takes the cluster out of service, replaces what the primary has, and
 * erases the others, which are then given copies.
 *
 * <p>From when the first row may be gone until the last one is there, an annotation of the cluster says so, whatever becomes of the
 * MySQLRestore and of the operator: nobody is writable, and no Service leads to anybody. The replicas keep what they have until the primary
 * has all of the backup. Any thread.
 */
public final class Restoring implements Step {

    @Override
    public Next take(Turn turn) throws InterruptedException {
        Optional<String> mark = Mark.of(turn.cluster());
        Optional<MySQLRestore> begun = mark.flatMap(name -> Restores.named(turn, name));
        if (begun.filter(Restores::isComplete).isPresent()) {
            tidy(turn, begun.get());
            return Next.GO_ON;
        }
        if (begun.filter(restore -> !Restores.isFinished(restore)).isPresent()) {
            return load(turn, begun.get());
        }
        Optional<MySQLRestore> next = Restores.next(turn);
        if (next.isPresent() && new Verification(turn, next.get()).isPassed()) {
            begin(turn, next.get());
            return load(turn, next.get());
        }
        return mark.isPresent() ? hold(turn, mark.get()) : Next.GO_ON;
    }

    /** Whether the data of a cluster is being replaced: the restore that does so. */
    static Optional<String> mark(MySQLCluster cluster) {
        return Mark.of(cluster);
    }

    private static void begin(Turn turn, MySQLRestore restore) {
        turn.context().owned(Job.class).stream()
                .filter(job -> !job.isMarkedForDeletion())
                .filter(job -> !job.getMetadata().getName().equals(Verification.name(restore)))
                .forEach(job -> ClusterJobs.delete(job, turn.context()));
        Mark.set(turn, restore.getMetadata().getName());
        turn.tell(
                "RestoreStarted",
                "Restore",
                restore.getMetadata().getName() + " replaces the data of the cluster by "
                        + restore.getSpec().backupName());
    }

    private static Next load(Turn turn, MySQLRestore begun) throws InterruptedException {
        MySQLRestore restore = Restores.tell(turn, begun, RestoreProgress.running(begun, turn.now()));
        Optional<Job> job = job(turn, restore);
        Member primary = turn.primary().filter(Member::reachable).orElse(null);
        if (primary != null && job.isPresent()) {
            JobReport report = JobReport.of(job.get(), turn.context().client());
            if (report.state() == JobReport.State.SUCCEEDED) {
                return finish(turn, restore, primary);
            }
            if (report.state() == JobReport.State.FAILED) {
                return giveUp(turn, restore, RestoreReasons.LOAD_FAILED, report.text("message"));
            }
        }
        if (primary != null && job.isEmpty()) {
            Optional<MySQLBackup> backup = backup(turn, restore);
            Optional<StoredBackup.Refusal> refusal =
                    StoredBackup.refusal(restore.getSpec().backupName(), backup);
            if (refusal.isPresent()) {
                return giveUp(
                        turn, restore, refusal.get().ofRestore(), refusal.get().message());
            }
            replace(turn, restore, StoredBackup.of(backup.orElseThrow()), primary);
        }
        outOfService(turn, ClusterReasons.RESTORING);
        String what = primary == null ? "waiting for " + turn.draft().primary() : "its data is being replaced";
        turn.draft().note(ClusterReasons.PRIMARY_RESTORING, what);
        return Next.END_TURN;
    }

    /** Each time from the beginning. */
    private static void replace(Turn turn, MySQLRestore restore, StoredBackup stored, Member primary)
            throws InterruptedException {
        ServerState erased;
        try {
            for (Member other : turn.members().except(primary)) {
                if (other.reachable()) {
                    try (DatabaseServer server = turn.fleet().connect(other)) {
                        server.makeReadOnly();
                        server.stopFollowing();
                    }
                }
            }
            try (DatabaseServer server = turn.fleet().connect(primary)) {
                server.makeReadOnly();
                server.closeClients();
                server.erase();
                erased = server.observe();
            }
        } catch (SqlFailure failure) {
            turn.look();
            turn.draft().note(ClusterReasons.RESTORE_FAILED, String.valueOf(failure.getMessage()));
            return;
        }
        turn.context()
                .create(BackupJobs.load(
                        turn.cluster(),
                        name(restore),
                        stored,
                        primary.endpoint().orElseThrow(),
                        erased));
        turn.look();
    }

    private static Next finish(Turn turn, MySQLRestore restore, Member primary) throws InterruptedException {
        try {
            for (Member other : turn.members().except(primary)) {
                if (other.reachable()) {
                    try (DatabaseServer server = turn.fleet().connect(other)) {
                        server.makeReadOnly();
                        server.erase();
                    }
                }
            }
            try (DatabaseServer server = turn.fleet().connect(primary)) {
                server.createAccounts(turn.fleet().accounts());
                server.seed(Mark.beyond(turn, primary));
            }
        } catch (SqlFailure failure) {
            outOfService(turn, ClusterReasons.RESTORING);
            turn.draft().note(ClusterReasons.RESTORE_FAILED, String.valueOf(failure.getMessage()));
            return Next.END_TURN;
        }
        // Told before the mark goes: who sees the old position afterwards would not open it.
        turn.draft().replaced(primary.name());
        turn.look();
        turn.save();
        Restores.tell(turn, restore, RestoreProgress.complete(restore, turn.now()));
        String note = restore.getSpec().backupName() + " is back: " + primary.name() + " has its data";
        turn.tell("Restored", "Restore", note);
        turn.context().events().normal(restore, "Restored", "Restore", note);
        tidy(turn, restore);
        turn.look();
        return Next.GO_ON;
    }

    /** The mark goes last: as long as it is there, somebody comes back to this. */
    private static void tidy(Turn turn, MySQLRestore restore) {
        job(turn, restore).ifPresent(job -> ClusterJobs.delete(job, turn.context()));
        new Verification(turn, restore).forget();
        Mark.remove(turn);
    }

    private static Next giveUp(Turn turn, MySQLRestore restore, ConditionReason reason, String message) {
        Restores.tell(turn, restore, RestoreProgress.failed(restore, reason, message, turn.now()));
        turn.warn("RestoreFailed", "Restore", restore.getMetadata().getName() + ": " + message);
        turn.context().events().warning(restore, "RestoreFailed", "Restore", message);
        return hold(turn, restore.getMetadata().getName());
    }

    /** Half of a backup is nothing to work with. */
    private static Next hold(Turn turn, String restore) {
        outOfService(turn, ClusterReasons.RESTORE_STOPPED);
        String why = Restores.named(turn, restore)
                .flatMap(one -> one.told().conditions().stream()
                        .filter(condition -> condition.getType().equals(Backups.FAILED)
                                && condition.getStatus().equals("True"))
                        .findFirst())
                .map(condition -> restore + ": " + condition.getMessage())
                .orElse("the MySQLRestore " + restore + " is gone");
        turn.draft()
                .note(
                        ClusterReasons.RESTORE_FAILED,
                        "the primary has not all of the data that was to be put back, and nobody can write; " + why
                                + "; make another MySQLRestore of this backup or another one");
        return Next.END_TURN;
    }

    private static void outOfService(Turn turn, ConditionReason phase) {
        turn.draft().outOfService();
        turn.draft().phase(phase);
    }

    private static Optional<MySQLBackup> backup(Turn turn, MySQLRestore restore) {
        return turn.context()
                .lister(MySQLBackup.class)
                .get(ObjectKey.of(
                        turn.context().key().namespace(), restore.getSpec().backupName()));
    }

    private static Optional<Job> job(Turn turn, MySQLRestore restore) {
        return turn.context().owned(Job.class).stream()
                .filter(job -> job.getMetadata().getName().equals(name(restore)) && !job.isMarkedForDeletion())
                .findFirst();
    }

    private static String name(MySQLRestore restore) {
        return JobNames.of(restore.getMetadata().getName(), "load");
    }
}
