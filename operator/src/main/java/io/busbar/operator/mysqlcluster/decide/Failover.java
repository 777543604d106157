package io.busbar.operator.mysqlcluster.decide;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverPhase;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes another member the primary when the primary is away for as long as the spec says: it does not answer, and its
 * Pod is not ready, or most of the others cannot get through to it either, as when it hangs, or its Node is gone and
 * the API server does not know yet. Or it answers, and has lost what it was seen to have.
 *
 * <p>Each phase is written to the status before it begins, and can be repeated. Nobody is ever promoted who may lack
 * what was acknowledged, or has what nobody else has. Pure; any thread.
 */
final class Failover implements Step {

    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Joining joining = new Joining();

    @Override
    public Next decide(Observation seen, Draft draft) {
        FailoverPhase phase = seen.progress().failover().phase();
        if (phase == null || !seen.progress().failover().underWay() || phase == FailoverPhase.Switching) {
            return watch(seen, draft);
        }
        draft.phase(ClusterReasons.FAILING_OVER);
        noteProgress(draft);
        return switch (phase) {
            case Fencing -> fence(seen, draft);
            case Electing -> elect(seen, draft);
            case Promoting -> promote(seen, draft);
            case Repointing -> complete(seen, draft);
            case Switching, Completed, Failed -> throw new IllegalStateException("not a failover: " + phase);
        };
    }

    private static Next watch(Observation seen, Draft draft) {
        Member primary = seen.primary().orElseThrow();
        Optional<String> lost = LastSeen.lost(seen, primary);
        lost.ifPresent(what -> Upkeep.noteBehind(draft, primary, what));
        boolean isAway =
                !primary.reachable() && (!primary.podReady() || seen.members().isLostToMost(primary));
        if (lost.isEmpty() && !isAway) {
            draft.progress(progress -> progress.withPrimaryFailingSince(null));
            if (!primary.reachable()) {
                noteAway(draft, primary, "does not answer, although its Pod is ready");
            }
            return Next.GO_ON;
        }
        if (lost.isEmpty()) {
            noteAway(draft, primary, primary.podReady() ? "answers neither the operator nor its replicas" : "is away");
        }
        String since = seen.progress().primaryFailingSince();
        if (since == null) {
            draft.progress(
                    progress -> progress.withPrimaryFailingSince(seen.now().toString()));
            return Next.END_TURN;
        }
        if (seen.timeWithoutPrimary().toSeconds() >= seen.spec().failover().delaySeconds()) {
            begin(seen, draft, primary, since);
        }
        return Next.END_TURN;
    }

    private static void noteAway(Draft draft, Member primary, String what) {
        draft.note(
                ClusterReasons.PRIMARY_AWAY,
                primary.name() + " " + what + ": " + primary.error().orElse("it has no address"));
    }

    private static void begin(Observation seen, Draft draft, Member primary, String since) {
        if (!seen.spec().failover().enabled()) {
            noteStuck(
                    draft,
                    ClusterReasons.FAILOVER_DISABLED,
                    "spec.failover.enabled is false; bring " + primary.name() + " back");
            return;
        }
        Election election = new Election(seen, primary);
        if (!election.hasCandidates()) {
            noteStuck(draft, ClusterReasons.NO_FAILOVER_CANDIDATE, reasons(primary, election));
            return;
        }
        if (!seen.memory().hasTried(Action.AskAgain.class, primary)) {
            draft.act(new Action.AskAgain(primary));
            return;
        }
        int count = seen.progress().failover().count();
        String now = seen.now().toString();
        draft.phase(ClusterReasons.FAILING_OVER);
        draft.save(progress -> progress.withFailover(
                new FailoverStatus(FailoverPhase.Fencing, primary.name(), uid(primary), null, null, now, count)));
        noteProgress(draft);
        draft.warn("FailoverStarted", "Failover", "the primary " + primary.name() + " is away since " + since);
    }

    private static @Nullable String uid(Member member) {
        return member.pod().map(pod -> pod.getMetadata().getUid()).orElse(null);
    }

    /** No new writes reach the old primary; where it still runs, it is stopped. */
    private static Next fence(Observation seen, Draft draft) {
        Member from = seen.members().named(seen.progress().failover().from()).orElse(null);
        if (from != null && from.endpoint().isPresent() && !seen.memory().hasTried(Action.Fence.class, from)) {
            Roles.drop(seen, draft, from);
            draft.act(new Action.Fence(from));
            return Next.GO_ON;
        }
        if (from != null) {
            Roles.drop(seen, draft, from);
            deletePod(seen, draft, from);
        }
        draft.save(progress -> progress.at(FailoverPhase.Electing));
        return Next.GO_ON;
    }

    /**
     * Unless it was made anew since: then it is read-only by its configuration. One that does not answer is not waited
     * for: a server that hangs, or is only just starting, does not heed the signal to end.
     */
    private static void deletePod(Observation seen, Draft draft, Member from) {
        String uid = seen.progress().failover().fromUid();
        Pod pod = from.pod().orElse(null);
        if (pod == null || pod.isMarkedForDeletion()) {
            return;
        }
        if (uid == null || uid.equals(pod.getMetadata().getUid())) {
            boolean answers = seen.memory().hasDone(Action.Fence.class, from);
            draft.act(new Action.DeletePod(from, answers ? null : GRACE));
        }
    }

    private static Next elect(Observation seen, Draft draft) {
        Member from = seen.members().named(seen.progress().failover().from()).orElseThrow();
        Election election = new Election(seen, from);
        Optional<Action> preparation = election.preparation();
        if (preparation.isPresent()) {
            draft.act(preparation.get());
            return Next.GO_ON;
        }
        Optional<Member> chosen = election.chosen();
        if (chosen.isPresent()) {
            FailoverStatus at = seen.progress().failover();
            String gtid =
                    chosen.get().state().map(ServerState::applied).orElseThrow().text();
            draft.save(progress -> progress.withFailover(new FailoverStatus(
                    FailoverPhase.Promoting,
                    at.from(),
                    at.fromUid(),
                    chosen.get().name(),
                    gtid,
                    at.startedAt(),
                    at.count())));
            return Next.GO_ON;
        }
        if (from.reachable() && !LastSeen.isBehind(seen, from) && !election.isApplying()) {
            draft.save(progress -> progress.withPrimaryFailingSince(null).at(FailoverPhase.Failed));
            draft.warn(
                    "FailoverFailed",
                    "Failover",
                    from.name() + " is back, and stays the primary; " + election.objections());
            return Next.GO_ON;
        }
        noteStuck(draft, ClusterReasons.NO_FAILOVER_CANDIDATE, reasons(from, election));
        return Next.END_TURN;
    }

    private static Next promote(Observation seen, Draft draft) {
        Member to = seen.members().named(seen.progress().failover().to()).orElseThrow();
        if (to.endpoint().isEmpty()
                || !Election.isStillAsChosen(seen, to)
                || seen.memory().hasTried(Action.Open.class, to)) {
            // It has not got any writes yet: no Service leads to it.
            draft.save(progress -> progress.at(FailoverPhase.Electing));
            draft.endTurn();
            return Next.END_TURN;
        }
        List<Member> beside =
                seen.members().except(to).stream().filter(Member::isWritable).toList();
        List<Action> closing = beside.stream()
                .filter(member -> !seen.memory().hasTried(Action.Close.class, member))
                .<Action>map(Action.Close::new)
                .toList();
        if (!closing.isEmpty()) {
            draft.act(new Action.AtOnce(closing));
            return Next.GO_ON;
        }
        if (!beside.isEmpty()) {
            noteStuck(
                    draft,
                    ClusterReasons.NO_FAILOVER_CANDIDATE,
                    beside.get(0).name() + " takes writes, and cannot be made read-only: delete its Pod");
            return Next.END_TURN;
        }
        if (!seen.isMigrating()) {
            Acknowledgements.expectNoMoreThanRequired(seen, draft);
            draft.act(new Action.Open(to, seen.spec().replication().acknowledgementsRequired()));
        }
        draft.save(progress ->
                progress.withPrimary(to.name()).withPrimaryFailingSince(null).at(FailoverPhase.Repointing));
        if (!seen.isMigrating()) {
            Roles.makePrimary(seen, to).forEach(draft::act);
        }
        return Next.GO_ON;
    }

    /** The others are led to it as any member is that follows the wrong one. */
    private Next complete(Observation seen, Draft draft) {
        joining.decide(seen, draft);
        if (draft.hasActions()) {
            return Next.GO_ON;
        }
        FailoverStatus at = seen.progress().failover();
        draft.save(progress -> progress.withFailover(new FailoverStatus(
                FailoverPhase.Completed, at.from(), at.fromUid(), at.to(), at.gtid(), at.startedAt(), at.count() + 1)));
        String what = seen.isMigrating() ? "the others follow " : "writes go to ";
        draft.tell("FailoverCompleted", "Failover", what + at.to() + " in place of " + at.from());
        draft.tell("PrimaryElected", "Failover", at.to() + " is the primary, at " + at.gtid());
        return Next.GO_ON;
    }

    private static void noteProgress(Draft draft) {
        FailoverStatus at = draft.progress().failover();
        draft.note(ClusterReasons.FAILOVER, "from " + at.from() + (at.to() == null ? "" : " to " + at.to()));
    }

    private static String reasons(Member from, Election election) {
        return "nobody can take over from " + from.name() + ": "
                + (election.objections().isEmpty() ? "there is no other member" : election.objections())
                + "; bring " + from.name()
                + " back, or, if what it had is lost for good, make a new cluster of a backup by spec.bootstrapFrom";
    }

    private static void noteStuck(Draft draft, ConditionReason reason, String message) {
        draft.trouble(reason, "FailoverFailed", "Failover", message);
    }
}
