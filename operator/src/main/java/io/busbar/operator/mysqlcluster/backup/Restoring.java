package io.busbar.operator.mysqlcluster.backup;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Roles;
import io.busbar.operator.mysqlcluster.decide.Step;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Optional;

/**
 * Puts a backup back into a cluster that has data, and what binary logs add to it: verifies the files, takes the
 * cluster out of service, replaces what the primary has, and erases the others, which are then given copies.
 *
 * <p>From when the first row may be gone until the last one is there, an annotation of the cluster says so, whatever
 * becomes of the MySQLRestore and of the operator: nobody is writable, and no Service leads to anybody. The replicas
 * keep what they have until the primary has all of the backup. Pure; any thread.
 */
public final class Restoring implements Step {

    @Override
    public Next decide(Observation seen, Draft draft) {
        Optional<String> mark = Mark.of(seen.cluster());
        if (mark.isPresent() && seen.progress().primary() == null) {
            findPrimary(seen, draft, mark.get());
            return Next.END_TURN;
        }
        MySQLRestore begun = mark.flatMap(seen.catalog()::restore)
                .filter(restore -> Mark.isOf(restore, seen.cluster()))
                .orElse(null);
        if (begun != null && Restores.isComplete(begun)) {
            tidy(seen, draft, begun);
            return Next.GO_ON;
        }
        if (begun != null && !Restores.isFinished(begun)) {
            load(seen, draft, begun);
            return Next.END_TURN;
        }
        MySQLRestore next = Restores.next(seen).orElse(null);
        if (next != null && seen.isMigrating()) {
            Restores.fail(
                    seen,
                    draft,
                    next,
                    RestoreReasons.FOLLOWS_EXTERNAL_PRIMARY,
                    "the cluster follows a server outside, and would not fit that any more: have it take over first");
            return Next.GO_ON;
        }
        if (next != null) {
            Verification verification = new Verification(seen, draft, next);
            if (verification.isPassed()) {
                begin(seen, draft, next, verification.backup());
                return Next.END_TURN;
            }
        }
        if (mark.isEmpty()) {
            return Next.GO_ON;
        }
        hold(seen, draft, mark.get());
        return Next.END_TURN;
    }

    private static void begin(Observation seen, Draft draft, MySQLRestore restore, String backup) {
        String name = restore.getMetadata().getName();
        seen.jobs().stream()
                .filter(job -> !job.isMarkedForDeletion())
                .filter(job -> !job.getMetadata().getName().equals(Verification.name(restore)))
                .forEach(job -> draft.act(new Action.DeleteJob(job)));
        draft.act(Mark.set(seen, seen.primary().orElseThrow(), restore));
        draft.tell("RestoreStarted", "Restore", name + " replaces the data of the cluster by " + data(restore, backup));
    }

    /**
     * Where the status was lost meanwhile. Whose data it is that is replaced matters only once some of it was: that one
     * has the Job, or only part of what it was being given. One that takes writes may still count on what it has.
     */
    private static void findPrimary(Observation seen, Draft draft, String restore) {
        outOfService(seen, draft, ClusterReasons.RESTORING);
        String target =
                seen.job(JobNames.of(restore, "load")).map(ClusterJobs::target).orElse(null);
        List<Member> members = seen.members().all();
        Optional<Member> found = members.stream()
                .filter(member -> member.endpoint()
                        .filter(one -> one.host().equals(target))
                        .isPresent())
                .findFirst();
        boolean areAllThere = members.stream().allMatch(Member::reachable);
        if (found.isEmpty() && areAllThere) {
            found = members.stream()
                    .filter(Member::isIncomplete)
                    .findFirst()
                    .or(() -> members.stream().filter(Member::isWritable).findFirst())
                    .or(() -> members.stream().findFirst());
        }
        found.ifPresentOrElse(
                member -> draft.save(progress -> progress.withPrimary(member.name())),
                () -> draft.note(
                        ClusterReasons.PRIMARY_RESTORING,
                        "the status names no primary: waiting for all members, to see whose data is being replaced"));
    }

    private static void load(Observation seen, Draft draft, MySQLRestore restore) {
        Restores.tell(draft, restore, RestoreProgress.running(restore, seen.now()));
        Member primary = seen.primary().filter(Member::reachable).orElse(null);
        JobReport report = job(seen, restore).map(seen::report).orElse(null);
        if (primary != null && report != null && report.state() == JobReport.State.FAILED) {
            giveUp(seen, draft, restore, RestoreReasons.LOAD_FAILED, report.text("message"));
            return;
        }
        outOfService(seen, draft, ClusterReasons.RESTORING);
        if (draft.hasActions()) {
            return;
        }
        if (primary != null && report == null) {
            replace(seen, draft, restore, primary);
        } else if (primary != null && report != null && report.state() == JobReport.State.SUCCEEDED) {
            finish(seen, draft, restore, primary);
        }
        String what = primary == null ? "waiting for " + seen.progress().primary() : "its data is being replaced";
        draft.note(ClusterReasons.PRIMARY_RESTORING, what);
    }

    /** Each time from the beginning: all stand still, the primary is erased, and a Job loads the backup into it. */
    private static void replace(Observation seen, Draft draft, MySQLRestore restore, Member primary) {
        String name = Restores.backup(seen, restore).orElse("");
        StoredBackup.Refusal refusal =
                StoredBackup.refusal(name, seen.catalog(), restore).orElse(null);
        if (refusal != null) {
            giveUp(seen, draft, restore, refusal.ofRestore(), refusal.message());
            return;
        }
        List<Action> standing = seen.members().reachable().stream()
                .filter(member -> !seen.memory().hasTried(Action.StandStill.class, member))
                .<Action>map(Action.StandStill::new)
                .toList();
        Optional<String> failure =
                failure(seen, Action.StandStill.class).or(() -> seen.memory().failure(Action.Erase.class, primary));
        if (failure.isPresent()) {
            draft.note(ClusterReasons.RESTORE_FAILED, failure.get());
        } else if (!standing.isEmpty()) {
            draft.act(new Action.AtOnce(standing));
        } else if (!seen.memory().hasTried(Action.Erase.class, primary)) {
            draft.act(new Action.Erase(primary));
        } else {
            StoredBackup stored = StoredBackup.of(name, seen.catalog());
            Job job = BackupJobs.load(
                    seen.cluster(),
                    name(restore),
                    stored,
                    Restores.until(restore),
                    primary.endpoint().orElseThrow(),
                    primary.state().orElseThrow());
            draft.act(new Action.StartJob(Mark.on(job, restore)));
        }
    }

    /**
     * The others are erased before the primary counts as whole: they have nothing that is of use any more, and would
     * count as having more.
     */
    private static void finish(Observation seen, Draft draft, MySQLRestore restore, Member primary) {
        if (seen.memory().hasDone(Action.Seed.class, primary)) {
            conclude(seen, draft, restore, primary);
            return;
        }
        List<Action> erasing = seen.members().except(primary).stream()
                .filter(Member::reachable)
                .filter(member -> !seen.memory().hasTried(Action.Erase.class, member))
                .<Action>map(member -> new Action.InOrder(new Action.StandStill(member), new Action.Erase(member)))
                .toList();
        Optional<String> failure = failure(seen, Action.StandStill.class)
                .or(() -> failure(seen, Action.Erase.class))
                .or(() -> seen.memory().failure(Action.Seed.class, primary));
        if (failure.isPresent()) {
            draft.note(ClusterReasons.RESTORE_FAILED, failure.get());
        } else if (!erasing.isEmpty()) {
            draft.act(new Action.AtOnce(erasing));
        } else {
            draft.act(new Action.Seed(primary, Mark.beyond(seen, primary)));
        }
    }

    /** Told before the mark goes: who sees the old position afterwards would not open it. */
    private static void conclude(Observation seen, Draft draft, MySQLRestore restore, Member primary) {
        draft.act(
                new Action.Save(draft.progress()),
                new Action.Remember(seen.memory().remembered().ofOtherData()));
        String backup = Restores.backup(seen, restore).orElse("");
        String reached = job(seen, restore)
                .map(job -> seen.report(job).text("gtid"))
                .filter(gtid -> !gtid.isEmpty())
                .or(() -> seen.catalog().source(backup).map(one -> one.told().gtid()))
                .orElse("");
        Restores.tell(
                draft, restore, RestoreProgress.complete(RestoreProgress.of(restore, backup), reached, seen.now()));
        String note = data(restore, backup) + " is back: " + primary.name() + " has its data";
        draft.tell("Restored", "Restore", note);
        draft.act(new Action.Tell(restore, false, "Restored", "Restore", note));
        tidy(seen, draft, restore);
    }

    /** For people. */
    private static String data(MySQLRestore restore, String backup) {
        Until until = Restores.until(restore);
        return until.isBeyond() ? backup + ", up to " + until.text() + "," : backup;
    }

    /** Why that was not done with some member. */
    private static Optional<String> failure(Observation seen, Class<? extends Action> kind) {
        return seen.members().all().stream()
                .flatMap(member -> seen.memory().failure(kind, member).stream())
                .findFirst();
    }

    /** The mark goes last: as long as it is there, somebody comes back to this. */
    private static void tidy(Observation seen, Draft draft, MySQLRestore restore) {
        job(seen, restore).ifPresent(job -> draft.act(new Action.DeleteJob(job)));
        seen.job(Verification.name(restore))
                .filter(job -> !job.isMarkedForDeletion())
                .ifPresent(job -> draft.act(new Action.DeleteJob(job)));
        draft.act(Mark.remove());
    }

    private static void giveUp(
            Observation seen, Draft draft, MySQLRestore restore, ConditionReason reason, String message) {
        Restores.fail(seen, draft, restore, reason, message);
        hold(seen, draft, restore.getMetadata().getName());
    }

    /** Half of a backup is nothing to work with. */
    private static void hold(Observation seen, Draft draft, String restore) {
        outOfService(seen, draft, ClusterReasons.RESTORE_STOPPED);
        String why = seen.catalog()
                .restore(restore)
                .flatMap(one -> one.told().conditions().stream()
                        .filter(condition -> condition.getType().equals(Backups.FAILED)
                                && condition.getStatus().equals("True"))
                        .findFirst())
                .map(condition -> restore + ": " + condition.getMessage())
                .orElse("the MySQLRestore " + restore + " is gone");
        draft.note(
                ClusterReasons.RESTORE_FAILED,
                "the primary has not all of the data that was to be put back, and nobody can write; " + why
                        + "; make another MySQLRestore of this backup or another one");
    }

    /** Labels go first. */
    private static void outOfService(Observation seen, Draft draft, ConditionReason phase) {
        draft.outOfService();
        draft.phase(phase);
        if (!draft.hasActions()) {
            new Roles().decide(seen, draft);
        }
    }

    private static Optional<Job> job(Observation seen, MySQLRestore restore) {
        return seen.job(name(restore)).filter(job -> !job.isMarkedForDeletion() && Mark.isOf(restore, job));
    }

    private static String name(MySQLRestore restore) {
        return JobNames.of(restore.getMetadata().getName(), "load");
    }
}
