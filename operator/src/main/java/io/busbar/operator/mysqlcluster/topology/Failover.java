package io.busbar.operator.mysqlcluster.topology;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverPhase;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes another member the primary when the primary is away for as long as the spec says: it does not answer, and its Pod is not ready, or most
 * of the others cannot get through to it either, as when it hangs, or its Node is gone and the API server does not know yet. Or it
 * answers, and has lost what it was seen to have.
 *
 * <p>Each phase is written to the status before it begins, and can be repeated. Nobody is ever promoted who may lack what was acknowledged, or
 * has what nobody else has. Any thread.
 */
final class Failover implements Step {

    private static final Logger log = LoggerFactory.getLogger(Failover.class);

    private static final Duration GRACE = Duration.ofSeconds(2);

    @Override
    public Next take(Turn turn) throws InterruptedException {
        FailoverPhase phase = turn.draft().failover().phase();
        if (phase == null || !turn.draft().failover().underWay() || phase == FailoverPhase.Switching) {
            return watch(turn);
        }
        turn.draft().phase(ClusterReasons.FAILING_OVER);
        noteProgress(turn);
        return switch (phase) {
            case Fencing -> fence(turn);
            case Electing -> elect(turn);
            case Promoting -> promote(turn);
            case Repointing -> complete(turn);
            case Switching, Completed, Failed -> throw new IllegalStateException("not a failover: " + phase);
        };
    }

    private static Next watch(Turn turn) throws InterruptedException {
        Member primary = turn.primary().orElseThrow();
        Optional<String> lost = LastSeen.lost(turn, primary);
        lost.ifPresent(what -> Upkeep.noteBehind(turn, primary, what));
        boolean away =
                !primary.reachable() && (!primary.podReady() || turn.members().isLostToMost(primary));
        if (lost.isEmpty() && !away) {
            turn.draft().primaryFailingSince(null);
            if (!primary.reachable()) {
                noteAway(turn, primary, "does not answer, although its Pod is ready");
            }
            return Next.GO_ON;
        }
        if (lost.isEmpty()) {
            noteAway(turn, primary, primary.podReady() ? "answers neither the operator nor its replicas" : "is away");
        }
        String since = turn.draft().primaryFailingSince();
        if (since == null) {
            turn.draft().primaryFailingSince(turn.now().toString());
            return Next.END_TURN;
        }
        Duration time = Duration.between(Instant.parse(since), turn.now());
        if (time.toSeconds() < turn.spec().failover().delaySeconds()) {
            return Next.END_TURN;
        }
        return begin(turn, primary);
    }

    private static void noteAway(Turn turn, Member primary, String what) {
        turn.draft()
                .note(
                        ClusterReasons.PRIMARY_AWAY,
                        primary.name() + " " + what + ": " + primary.error().orElse("it has no address"));
    }

    private static Next begin(Turn turn, Member primary) throws InterruptedException {
        if (!turn.spec().failover().enabled()) {
            return stuck(
                    turn,
                    ClusterReasons.FAILOVER_DISABLED,
                    "spec.failover.enabled is false; bring " + primary.name() + " back");
        }
        Election election = new Election(turn, primary);
        if (!election.hasCandidates()) {
            return stuck(turn, ClusterReasons.NO_FAILOVER_CANDIDATE, reasons(primary, election));
        }
        Member now = turn.fleet().ask(primary);
        if (now.reachable() && !LastSeen.isBehind(turn, now)) {
            return Next.END_TURN;
        }
        FailoverStatus before = turn.draft().failover();
        turn.draft()
                .failover(new FailoverStatus(
                        FailoverPhase.Fencing,
                        primary.name(),
                        null,
                        null,
                        turn.now().toString(),
                        before.count()));
        turn.draft().phase(ClusterReasons.FAILING_OVER);
        noteProgress(turn);
        turn.save();
        turn.warn(
                "FailoverStarted",
                "Failover",
                "the primary " + primary.name() + " is away since "
                        + turn.draft().primaryFailingSince());
        return fence(turn);
    }

    /** No new writes reach the old primary; where it still runs, it is stopped. */
    private static Next fence(Turn turn) throws InterruptedException {
        Optional<Member> from = turn.members().named(turn.draft().failover().from());
        if (from.isPresent()) {
            Roles.drop(turn, from.get());
            boolean silenced = silence(turn, from.get());
            deletePod(turn, from.get(), silenced);
        }
        enter(turn, FailoverPhase.Electing);
        return elect(turn);
    }

    /** Whether it takes no writes any more, as it said itself. */
    private static boolean silence(Turn turn, Member from) throws InterruptedException {
        if (from.endpoint().isEmpty()) {
            return false;
        }
        try {
            Writes.close(turn, from);
            return true;
        } catch (SqlFailure away) {
            log.atDebug().addKeyValue("member", from.name()).log("the old primary cannot be asked to be read-only");
            return false;
        }
    }

    /**
     * Unless it was made anew since: then it is read-only by its configuration. One that does not answer is not waited for: a server that hangs, or
     * is only just starting, does not heed the signal to end.
     */
    private static void deletePod(Turn turn, Member from, boolean answers) {
        String startedAt = turn.draft().failover().startedAt();
        from.pod()
                .filter(pod -> !pod.isMarkedForDeletion())
                .filter(pod -> startedAt == null
                        || Instant.parse(pod.getMetadata().getCreationTimestamp())
                                .isBefore(Instant.parse(startedAt)))
                .ifPresent(pod -> {
                    if (answers) {
                        turn.context().delete(pod);
                    } else {
                        turn.context().delete(pod, GRACE);
                    }
                });
    }

    private static Next elect(Turn turn) throws InterruptedException {
        Member from = turn.members().named(turn.draft().failover().from()).orElseThrow();
        Election election = new Election(turn, from);
        Optional<Member> chosen = election.choose();
        if (chosen.isPresent()) {
            FailoverStatus at = turn.draft().failover();
            String gtid =
                    chosen.get().state().map(ServerState::applied).orElseThrow().text();
            turn.draft()
                    .failover(new FailoverStatus(
                            at.phase(), at.from(), chosen.get().name(), gtid, at.startedAt(), at.count()));
            enter(turn, FailoverPhase.Promoting);
            return promote(turn);
        }
        if (from.reachable() && !LastSeen.isBehind(turn, from) && !election.isApplying()) {
            turn.draft().primaryFailingSince(null);
            turn.draft().failover(turn.draft().failover().at(FailoverPhase.Failed));
            turn.save();
            turn.warn(
                    "FailoverFailed",
                    "Failover",
                    from.name() + " is back, and stays the primary; " + election.objections());
            return Next.GO_ON;
        }
        return stuck(turn, ClusterReasons.NO_FAILOVER_CANDIDATE, reasons(from, election));
    }

    private static Next promote(Turn turn) throws InterruptedException {
        turn.members().named(turn.draft().failover().from()).ifPresent(turn::fenced);
        Member to = turn.members().named(turn.draft().failover().to()).orElseThrow();
        if (to.endpoint().isEmpty()) {
            return reconsider(turn);
        }
        try {
            Writes.open(turn, to);
        } catch (SqlFailure failure) {
            log.atWarn()
                    .addKeyValue("member", to.name())
                    .addKeyValue("error", failure.getMessage())
                    .log("not promoted");
            return reconsider(turn);
        }
        turn.draft().primary(to.name());
        turn.draft().primaryFailingSince(null);
        enter(turn, FailoverPhase.Repointing);
        Roles.makePrimary(turn, to);
        turn.look();
        return complete(turn);
    }

    /** It has not got any writes yet: no Service leads to it. */
    private static Next reconsider(Turn turn) {
        enter(turn, FailoverPhase.Electing);
        return Next.END_TURN;
    }

    /** The others are led to it as any member is that follows the wrong one. */
    private static Next complete(Turn turn) throws InterruptedException {
        turn.draft().phase(ClusterReasons.FAILING_OVER);
        new Joining().take(turn);
        FailoverStatus at = turn.draft().failover();
        turn.draft()
                .failover(new FailoverStatus(
                        FailoverPhase.Completed, at.from(), at.to(), at.gtid(), at.startedAt(), at.count() + 1));
        turn.look();
        turn.save();
        turn.tell("FailoverCompleted", "Failover", "writes go to " + at.to() + " in place of " + at.from());
        turn.tell("PrimaryElected", "Failover", at.to() + " is the primary, at " + at.gtid());
        return Next.GO_ON;
    }

    private static void enter(Turn turn, FailoverPhase phase) {
        turn.draft().failover(turn.draft().failover().at(phase));
        turn.save();
    }

    private static void noteProgress(Turn turn) {
        FailoverStatus at = turn.draft().failover();
        turn.draft().note(ClusterReasons.FAILOVER, "from " + at.from() + (at.to() == null ? "" : " to " + at.to()));
    }

    private static String reasons(Member from, Election election) {
        return "nobody can take over from " + from.name() + ": "
                + (election.objections().isEmpty() ? "there is no other member" : election.objections())
                + "; bring " + from.name()
                + " back, or, if what it had is lost for good, make a new cluster of a backup by spec.bootstrapFrom";
    }

    private static Next stuck(Turn turn, ConditionReason reason, String message) {
        turn.trouble(reason, "FailoverFailed", "Failover", message);
        return Next.END_TURN;
    }
}
