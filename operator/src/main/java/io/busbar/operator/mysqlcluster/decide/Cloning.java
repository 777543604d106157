package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.DataFiles;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.PhysicalCopy;
import io.busbar.operator.mysqlcluster.sql.PhysicalCopy.Stage;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.CopyMethod;
import io.busbar.operator.mysqlcluster.v1alpha1.DivergedMembers;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Gives a member that cannot follow the primary from where it is a copy of another's data: a new one, and one that has
 * diverged. One at a time, those that have nothing first.
 *
 * <p>Where its server and the donor's can, it copies the donor's data files: MySQL's by itself, MariaDB's while its Pod
 * is made anew. That drops what it has, and it is marked from before that until the copy is accepted. Else, and after
 * such a copy was broken off, a Job makes the copy by a dump, and takes all of it from the donor before it touches the
 * member; nothing of the member goes before. By either nothing goes unless the member is still as it was here. What
 * only a diverged member has is lost then: it was never acknowledged with semi-synchronous replication, and was lost to
 * the users when another became the primary without. Pure; any thread.
 */
final class Cloning implements Step {

    /** Before a copy that failed is tried again. */
    private static final Duration PAUSE = Duration.ofSeconds(15);

    /** Each Pod takes less than this to see that there is nothing to be taken. */
    private static final Duration GLANCE = Duration.ofSeconds(2);

    @Override
    public Next decide(Observation seen, Draft draft) {
        Member primary = seen.head().orElse(null);
        if (primary == null) {
            return Next.END_TURN;
        }
        for (Member member : seen.members().except(primary)) {
            noteDivergence(seen, draft, member, primary);
        }
        // It was asked for before that one became the primary; the Job itself does not touch a server that is writable.
        job(seen, primary)
                .filter(job -> !job.isMarkedForDeletion())
                .ifPresent(job -> draft.act(new Action.DeleteJob(job)));
        for (Member member : seen.members().except(primary)) {
            Optional<Job> job = job(seen, member);
            if (job.isPresent()) {
                follow(seen, draft, member, primary, job.get());
                return Next.GO_ON;
            }
        }
        for (Member member : seen.members().except(primary)) {
            if (isCopying(seen, draft, member, primary)) {
                return Next.GO_ON;
            }
        }
        standing(seen, primary)
                .or(() -> next(seen, primary, History.MISSING))
                .or(() -> isKept(seen, primary) ? Optional.empty() : next(seen, primary, History.DIVERGED))
                .ifPresent(member -> begin(seen, draft, member, primary));
        return Next.GO_ON;
    }

    /**
     * One that was made to stand still for its copy: it follows nobody any more, and so cannot tell that it was
     * refused.
     */
    private static Optional<Member> standing(Observation seen, Member primary) {
        return seen.members().except(primary).stream()
                .filter(member -> member.reachable() && !member.isLeaving())
                .filter(member -> seen.memory().hasDone(Action.StandStill.class, member))
                .findFirst();
    }

    private static Optional<Member> next(Observation seen, Member primary, History history) {
        return seen.members().except(primary).stream()
                .filter(member ->
                        member.reachable() && !member.isLeaving() && History.of(seen, member, primary) == history)
                .findFirst();
    }

    /**
     * Whether a diverged member is left as it is: also where the primary has nothing that it could be given instead.
     */
    private static boolean isKept(Observation seen, Member primary) {
        return seen.spec().divergedMembers() == DivergedMembers.Keep || primary.isBlank();
    }

    private static void noteDivergence(Observation seen, Draft draft, Member member, Member primary) {
        History history = member.reachable() ? History.of(seen, member, primary) : History.FITS;
        if (history != History.DIVERGED && history != History.AHEAD) {
            return;
        }
        String more = member.state()
                .orElseThrow()
                .history()
                .minus(primary.state().orElseThrow().history())
                .text();
        String lacks = History.lost(seen, member, primary).map(Position::text).orElse("");
        String only = (more.isEmpty() ? "" : ": only it has " + more)
                + (lacks.isEmpty() ? "" : ": it lacks " + lacks + ", and never gets that by following");
        if (history == History.DIVERGED) {
            draft.trouble(
                    ClusterReasons.HISTORY_DIFFERS,
                    "MemberDiverged",
                    "Clone",
                    member.name() + " does not have the history of " + primary.name() + only
                            + (isKept(seen, primary)
                                    ? "; it is kept as it is, and serves nobody: save what is needed of it, then delete"
                                            + " its PersistentVolumeClaim and its Pod, and it is given a copy"
                                    : "; it is given a copy of another member's data"));
        } else {
            draft.trouble(
                    ClusterReasons.PRIMARY_LACKS_WRITES,
                    "MemberDiverged",
                    "Clone",
                    member.name() + " has writes of " + primary.name() + " that " + primary.name()
                            + " itself has lost" + only
                            + "; it is kept as it is: save what is needed of it, then delete"
                            + " its PersistentVolumeClaim and its Pod, and it is given a copy");
        }
    }

    /**
     * It stands still from here on, so that the Job can see whether anything happened to it, and nobody follows it: the
     * Job leaves a server alone that somebody is connected to.
     */
    private static void begin(Observation seen, Draft draft, Member member, Member primary) {
        List<Action> before = Stream.<Action>concat(
                        Stream.of(new Action.StandStill(member))
                                .filter(one -> !seen.memory().hasTried(Action.StandStill.class, member)),
                        followers(seen, member))
                .toList();
        Optional<String> failure = seen.memory().failure(Action.StandStill.class, member);
        if (primary.isBlank()) {
            draft.note(
                    ClusterReasons.COPY_FAILED,
                    member.name() + " has only part of a copy, and " + primary.name()
                            + " has nothing yet that it could be given instead");
        } else if (failure.isPresent()) {
            draft.note(ClusterReasons.CLONE_FAILED, failure.get());
        } else if (!before.isEmpty()) {
            draft.act(new Action.AtOnce(before));
        } else {
            give(seen, draft, member, primary, donor(seen, member, primary));
        }
    }

    private static void give(Observation seen, Draft draft, Member member, Member primary, Member donor) {
        Position required = primary.state().orElseThrow().history();
        Optional<String> trouble = trouble(seen, member);
        if ((trouble.isEmpty() || lastDumpFailed(seen, member)) && isPhysical(seen, member, donor)) {
            if (!seen.memory().hasDone(Action.Copy.class, member)) {
                draft.act(
                        // What is said of it now is not seen any more once it begins.
                        new Action.Save(draft.progress()),
                        new Action.Remember(seen.memory().remembered().withoutFailedDonor()),
                        new Action.Copy(member, donor, required));
            }
        } else {
            trouble.ifPresent(why -> draft.warn(
                    "CloneFailed",
                    "Clone",
                    member.name() + ": no copy of " + donor.name() + "'s data files could be made, so a dump is taken: "
                            + why));
            draft.act(new Action.StartJob(new ClusterJobs(seen.cluster())
                    .clone(
                            member.ordinal(),
                            donor.endpoint().orElseThrow(),
                            member.endpoint().orElseThrow(),
                            member.state().orElseThrow(),
                            required)));
        }
        noteCloning(draft, member);
    }

    private static boolean isPhysical(Observation seen, Member member, Member donor) {
        ServerState from = donor.state().orElseThrow();
        return seen.spec().replication().copyMethod() == CopyMethod.Auto
                && (PhysicalCopy.needsNewPod(from.version())
                        ? DataFiles.areGiven(donor.pod()) && isTaker(seen, member)
                        // Addresses of IPv6 the statement for it does not take; names it does.
                        : !donor.endpoint().orElseThrow().host().contains(":"))
                && PhysicalCopy.isPossible(
                        from.version(), member.state().orElseThrow().version());
    }

    /** Whether its Pod, once it is made anew, takes another's data files, and differs in nothing else. */
    private static boolean isTaker(Observation seen, Member member) {
        return DataFiles.areTaken(seen.statefulSet().getSpec().getTemplate().getSpec())
                && member.pod()
                        .map(pod -> ClusterNames.label(pod, ClusterNames.REVISION))
                        .filter(revision ->
                                seen.updateRevision().filter(revision::equals).isPresent())
                        .isPresent();
    }

    /**
     * A physical copy that MySQL's server has broken off may leave folders of databases that it does not know, and
     * then no dump can be loaded; another physical copy puts that right. What failed in this turn is not tried again at
     * once.
     */
    private static boolean lastDumpFailed(Observation seen, Member member) {
        return !PhysicalCopy.needsNewPod(member.state().orElseThrow().version())
                && seen.memory().remembered().failedDonor().isPresent()
                && seen.memory().failure(Action.Copy.class, member).isEmpty()
                && seen.memory().failure(Action.AcceptCopy.class, member).isEmpty();
    }

    /** Why it is not given a physical copy again at once; empty where none was tried. */
    private static Optional<String> trouble(Observation seen, Member member) {
        return seen.memory()
                .failure(Action.Copy.class, member)
                .or(() -> seen.memory().failure(Action.AcceptCopy.class, member))
                .or(() -> copy(member).map(PhysicalCopy::message));
    }

    private static Optional<PhysicalCopy> copy(Member member) {
        return member.state().flatMap(ServerState::copy);
    }

    /** Whether it is being given a physical copy that nothing is wrong with; accepts one that is whole. */
    private static boolean isCopying(Observation seen, Draft draft, Member member, Member primary) {
        Instant since = member.pod().flatMap(DataFiles::areTakenSince).orElse(null);
        if (since != null) {
            if (Duration.between(since, seen.now()).compareTo(GLANCE) > 0) {
                noteCloning(draft, member, ": its Pod takes the files");
            }
            return true;
        }
        PhysicalCopy copy = copy(member).orElse(null);
        if (copy == null || copy.stage() == Stage.BROKEN_OFF) {
            return false;
        }
        if (copy.stage() == Stage.WAITING) {
            if (!isTaker(seen, member)) {
                return false;
            }
            if (!member.isLeaving()) {
                draft.act(new Action.DeletePod(member, null));
            }
            // What is known of the server may be of the one before.
            draft.endTurn();
        }
        if (copy.stage() == Stage.WHOLE) {
            if (seen.memory().failure(Action.AcceptCopy.class, member).isPresent()) {
                return false;
            }
            Optional<String> failure = seen.memory().failure(Action.Seed.class, member);
            if (failure.isPresent()) {
                draft.note(ClusterReasons.CLONE_FAILED, failure.get());
                return true;
            }
            draft.act(copy.position()
                    .<Action>map(last -> new Action.Seed(member, position(primary, last)))
                    .orElseGet(() -> new Action.AcceptCopy(member)));
            draft.tell("MemberRecloned", "Clone", member.name() + " has a copy of another member's data files");
        }
        noteCloning(draft, member, ": " + copy.message());
        return true;
    }

    /** Those that fit follow the primary by now; these need copies themselves. */
    private static Stream<Action> followers(Observation seen, Member member) {
        return seen.members().except(member).stream()
                .filter(one -> one.replicationFrom(member)
                        .filter(its -> its.io() != Replication.Io.NO)
                        .isPresent())
                .filter(one -> !seen.memory().hasTried(Action.StopReceiving.class, one))
                .map(Action.StopReceiving::new);
    }

    /**
     * A replica that keeps up, so that the primary has its hands free; the primary where there is none, or that one has
     * failed.
     */
    private static Member donor(Observation seen, Member member, Member primary) {
        Optional<Endpoint> failed = seen.memory().remembered().failedDonor();
        return Switchover.successor(seen)
                .filter(replica -> replica.ordinal() != member.ordinal())
                .filter(replica -> failed.isEmpty() || !failed.equals(replica.endpoint()))
                .orElse(primary);
    }

    private static void follow(Observation seen, Draft draft, Member member, Member primary, Job job) {
        noteCloning(draft, member);
        if (job.isMarkedForDeletion()) {
            return;
        }
        JobReport report = seen.report(job);
        switch (report.state()) {
            case RUNNING -> {}
            case SUCCEEDED -> finish(seen, draft, member, primary, report, job);
            case FAILED -> {
                String why = report.text("message");
                draft.note(
                        ClusterReasons.COPY_FAILED,
                        member.name() + " has got no copy of another member's data yet: " + why);
                if (Duration.between(report.since(), seen.steadily()).compareTo(PAUSE) > 0) {
                    draft.warn("CloneFailed", "Clone", member.name() + ": " + why);
                    draft.act(
                            new Action.Remember(seen.memory().remembered().withFailedDonor(ClusterJobs.donor(job))),
                            new Action.DeleteJob(job));
                }
            }
        }
    }

    /** One that is complete already was given its position before this operator began. */
    private static void finish(
            Observation seen, Draft draft, Member member, Member primary, JobReport report, Job job) {
        if (!member.reachable()) {
            return;
        }
        // One that did not stay broken off while the Job ran: what the two have made of it together is nobody's data.
        boolean isMixed =
                copy(member).filter(its -> its.stage() != Stage.BROKEN_OFF).isPresent();
        if (member.isIncomplete() && !isMixed) {
            Optional<String> failure = seen.memory().failure(Action.Seed.class, member);
            if (failure.isPresent()) {
                draft.note(ClusterReasons.CLONE_FAILED, failure.get());
                return;
            }
            draft.act(new Action.Seed(member, position(primary, report.text("gtid"))));
            draft.tell(
                    "MemberRecloned",
                    "Clone",
                    member.name() + " has a copy of another member's data, at " + report.text("gtid"));
        }
        draft.act(new Action.Remember(seen.memory().remembered().withoutFailedDonor()), new Action.DeleteJob(job));
    }

    /** The dump tells the last transaction; who wrote those before is known to the primary. */
    private static String position(Member primary, String dumped) {
        ServerState state = primary.state().orElseThrow();
        return state.history().upTo(Position.of(state.flavor(), dumped)).text();
    }

    private static void noteCloning(Draft draft, Member member) {
        noteCloning(draft, member, "");
    }

    private static void noteCloning(Draft draft, Member member, String more) {
        draft.phase(ClusterReasons.CLONING);
        draft.note(ClusterReasons.MEMBER_CLONING, member.name() + " is given a copy of another member's data" + more);
    }

    /**
     * Whether a Job is giving the member a copy, or is about to: what it has seems to fit all along, and may be half of
     * it.
     */
    static boolean isUnderWay(Observation seen, Member member) {
        return seen.memory().hasDone(Action.StandStill.class, member)
                || job(seen, member)
                        .filter(job -> !job.isMarkedForDeletion() || !JobReport.hasSucceeded(job))
                        .isPresent();
    }

    private static Optional<Job> job(Observation seen, Member member) {
        return seen.job(ClusterJobs.cloneName(seen.name(), member.ordinal()));
    }
}
