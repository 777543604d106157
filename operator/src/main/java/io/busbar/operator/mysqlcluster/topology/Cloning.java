package io.busbar.operator.mysqlcluster.topology;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.v1alpha1.DivergedMembers;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Gives a member that cannot follow the primary from where it is a copy of another's data: a new one, and one that has diverged. One at a time,
 * those that have nothing first.
 *
 * <p>A Job makes the copy, and takes all of it from the donor before it touches the member; nothing of the member goes before, and nothing at all
 * unless the member is still as it was here. What only a diverged member has is lost then: it was never acknowledged with semi-synchronous
 * replication, and was lost to the users when another became the primary without. Any thread.
 */
final class Cloning implements Step {

    /** Before a copy that failed is tried again. */
    private static final Duration PAUSE = Duration.ofSeconds(15);

    /** By its address, whose data could not be copied last: another one is asked before it is asked again. */
    private final PerCluster<Endpoint> failedDonors = new PerCluster<>();

    @Override
    public Next take(Turn turn) throws InterruptedException {
        Member primary = turn.servingPrimary().orElse(null);
        if (primary == null) {
            return Next.END_TURN;
        }
        for (Member member : turn.members().except(primary)) {
            noteDivergence(turn, member, primary);
        }
        // It was asked for before that one became the primary; the Job itself does not touch a server that is writable.
        job(turn, primary)
                .filter(job -> !job.isMarkedForDeletion())
                .ifPresent(job -> ClusterJobs.delete(job, turn.context()));
        for (Member member : turn.members().except(primary)) {
            Optional<Job> job = job(turn, member);
            if (job.isPresent()) {
                follow(turn, member, primary, job.get());
                return Next.GO_ON;
            }
        }
        Optional<Member> next = next(turn, primary, History.MISSING)
                .or(() -> isKept(turn, primary) ? Optional.empty() : next(turn, primary, History.DIVERGED));
        if (next.isPresent()) {
            begin(turn, next.get(), primary);
        }
        return Next.GO_ON;
    }

    private static Optional<Member> next(Turn turn, Member primary, History history) {
        return turn.members().except(primary).stream()
                .filter(member ->
                        member.reachable() && !member.isLeaving() && History.of(turn, member, primary) == history)
                .findFirst();
    }

    /** Whether a diverged member is left as it is: also where the primary has nothing that it could be given instead. */
    private static boolean isKept(Turn turn, Member primary) {
        return turn.spec().divergedMembers() == DivergedMembers.Keep || primary.isBlank();
    }

    private static void noteDivergence(Turn turn, Member member, Member primary) {
        History history = member.reachable() ? History.of(turn, member, primary) : History.FITS;
        if (history != History.DIVERGED && history != History.AHEAD) {
            return;
        }
        String more = member.state()
                .orElseThrow()
                .history()
                .minus(primary.state().orElseThrow().history())
                .text();
        String only = more.isEmpty() ? "" : ": only it has " + more;
        if (history == History.DIVERGED) {
            turn.trouble(
                    ClusterReasons.HISTORY_DIFFERS,
                    "MemberDiverged",
                    "Clone",
                    member.name() + " does not have the history of " + primary.name() + only
                            + (isKept(turn, primary)
                                    ? "; it is kept as it is, and serves nobody: save what is needed of it, then delete"
                                            + " its PersistentVolumeClaim and its Pod, and it is given a copy"
                                    : "; it is given a copy of another member's data"));
        } else {
            turn.trouble(
                    ClusterReasons.PRIMARY_LACKS_WRITES,
                    "MemberDiverged",
                    "Clone",
                    member.name() + " has writes of " + primary.name() + " that " + primary.name()
                            + " itself has lost" + only
                            + "; it is kept as it is: save what is needed of it, then delete"
                            + " its PersistentVolumeClaim and its Pod, and it is given a copy");
        }
    }

    /** It stands still from here on, so that the Job can see whether anything happened to it. */
    private void begin(Turn turn, Member member, Member primary) throws InterruptedException {
        ServerState before;
        try (DatabaseServer server = turn.fleet().connect(member)) {
            server.makeReadOnly();
            server.closeClients();
            server.stopFollowing();
            before = server.observe();
        } catch (SqlFailure failure) {
            turn.draft().note(ClusterReasons.CLONE_FAILED, String.valueOf(failure.getMessage()));
            return;
        }
        Job job = jobs(turn)
                .clone(
                        member.ordinal(),
                        donor(turn, member, primary),
                        member.endpoint().orElseThrow(),
                        before);
        turn.context().create(job);
        noteCloning(turn, member);
    }

    /** A replica that keeps up, so that the primary has its hands free; the primary where there is none, or that one has failed. */
    private Endpoint donor(Turn turn, Member member, Member primary) {
        return Switchover.successor(turn)
                .filter(replica -> replica.ordinal() != member.ordinal())
                .flatMap(Member::endpoint)
                .filter(replica ->
                        failedDonors.of(turn.cluster()).filter(replica::equals).isEmpty())
                .orElseGet(() -> primary.endpoint().orElseThrow());
    }

    private void follow(Turn turn, Member member, Member primary, Job job) throws InterruptedException {
        noteCloning(turn, member);
        JobReport report = JobReport.of(job, turn.context().client());
        switch (report.state()) {
            case RUNNING -> {}
            case SUCCEEDED -> finish(turn, member, primary, report, job);
            case FAILED -> {
                turn.draft()
                        .note(
                                ClusterReasons.COPY_FAILED,
                                member.name() + " has got no copy of another member's data yet: "
                                        + report.text("message"));
                if (Duration.between(Instant.parse(job.getMetadata().getCreationTimestamp()), turn.now())
                                .compareTo(PAUSE)
                        > 0) {
                    turn.warn("CloneFailed", "Clone", member.name() + ": " + report.text("message"));
                    failedDonors.remember(
                            turn.cluster(),
                            ClusterJobs.donor(job),
                            turn.context().lister(MySQLCluster.class));
                    ClusterJobs.delete(job, turn.context());
                }
            }
        }
    }

    /** One that is complete already was given its position before this operator began. */
    private static void finish(Turn turn, Member member, Member primary, JobReport report, Job job)
            throws InterruptedException {
        if (!member.reachable()) {
            return;
        }
        if (member.isIncomplete()) {
            try (DatabaseServer server = turn.fleet().connect(member)) {
                server.createAccounts(turn.fleet().accounts());
                server.seed(position(primary, report.text("gtid")));
            } catch (SqlFailure failure) {
                turn.draft().note(ClusterReasons.CLONE_FAILED, String.valueOf(failure.getMessage()));
                return;
            }
            turn.tell(
                    "MemberRecloned",
                    "Clone",
                    member.name() + " has a copy of another member's data, at " + report.text("gtid"));
        }
        ClusterJobs.delete(job, turn.context());
        turn.look();
        new Joining().take(turn);
    }

    /** The dump tells the last transaction; who wrote those before is known to the primary. */
    private static String position(Member primary, String dumped) {
        ServerState state = primary.state().orElseThrow();
        return state.history().upTo(Position.of(state.flavor(), dumped)).text();
    }

    private static void noteCloning(Turn turn, Member member) {
        turn.draft().phase(ClusterReasons.CLONING);
        turn.draft().note(ClusterReasons.MEMBER_CLONING, member.name() + " is given a copy of another member's data");
    }

    /** Whether a Job is giving the member a copy: what it has seems to fit all along, and may be half of it. */
    static boolean isUnderWay(Turn turn, Member member) {
        return job(turn, member)
                .filter(job -> !job.isMarkedForDeletion() || !JobReport.hasSucceeded(job))
                .isPresent();
    }

    private static Optional<Job> job(Turn turn, Member member) {
        List<Job> jobs = turn.context().owned(Job.class);
        String name = ClusterJobs.cloneName(turn.cluster().getMetadata().getName(), member.ordinal());
        return jobs.stream()
                .filter(job -> job.getMetadata().getName().equals(name))
                .findFirst();
    }

    private static ClusterJobs jobs(Turn turn) {
        return new ClusterJobs(turn.cluster());
    }
}
