package io.busbar.operator.mysqlcluster.rollout;

import io.busbar.operator.mysqlcluster.decide.Acknowledgements;
import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Roles;
import io.busbar.operator.mysqlcluster.decide.Step;
import io.busbar.operator.mysqlcluster.decide.Switchover;
import io.busbar.operator.mysqlcluster.objects.Settings;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.v1alpha1.UpdateStrategy;
import io.busbar.operator.mysqlcluster.v1alpha1.UpdateType;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Restarts members that do not run what is asked for, one at a time, each once all others are well. Pure; any thread.
 */
public final class Rollout implements Step {

    /** How long an updated member may take until somebody must look. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** In one turn. */
    private static final Duration DRAIN = Duration.ofSeconds(5);

    @Override
    public Next decide(Observation seen, Draft draft) {
        Revisions revisions = Revisions.of(seen);
        UpdateStrategy strategy = seen.spec().updateStrategy();
        if (revisions.update() != null && revisions.outdated().isEmpty()) {
            complete(seen, draft, revisions);
            return Next.GO_ON;
        }
        if (strategy.type() == UpdateType.OnDelete || strategy.paused() || Switchover.wasTried(seen)) {
            return Next.GO_ON;
        }
        if (revisions.update() == null) {
            // Who is outdated is known once the StatefulSet's controller has seen its template.
            draft.phase(ClusterReasons.UPDATING);
            return Next.GO_ON;
        }
        Gate gate = new Gate(seen, revisions);
        List<Member> eligible = gate.eligible();
        if (eligible.isEmpty()) {
            return Next.GO_ON;
        }
        draft.phase(ClusterReasons.UPDATING);
        Optional<Member> unwell = unwell(seen);
        Optional<String> hold = gate.hold();
        if (unwell.isPresent()) {
            waitFor(seen, draft, revisions, hold.isPresent() ? List.of() : eligible, unwell.get());
        } else if (hold.isPresent()) {
            draft.news(ClusterReasons.CANARY_PAUSED, "CanaryPaused", "Update", hold.get());
        } else {
            update(seen, draft, eligible.get(0));
        }
        return Next.GO_ON;
    }

    private static void update(Observation seen, Draft draft, Member member) {
        Optional<Member> successor = seen.isPrimary(member) ? Switchover.successor(seen) : Optional.empty();
        if (successor.isPresent()) {
            Switchover.begin(seen, draft, successor.get());
        } else {
            restart(seen, draft, member);
        }
    }

    private static void restart(Observation seen, Draft draft, Member member) {
        if (member.pod().isEmpty()) {
            return;
        }
        if (Acknowledgements.mayAcknowledgeUnseen(seen, member) && !othersHaveAll(seen, member)) {
            draft.note(
                    ClusterReasons.MEMBER_DRAINING,
                    member.name()
                            + " does not answer, and may have acknowledged writes that no other replica has: bring"
                            + " it back, or delete its Pod to go on without them");
        } else if (mayHaveTheLast(seen, member)) {
            drain(seen, draft, member);
        } else {
            draft.act(new Action.DeletePod(member, null));
            draft.endTurn();
        }
    }

    /**
     * A server that is restarted forgets what it has received and not applied. With semi-synchronous replication it may
     * have acknowledged that alone, and the primary may be lost any moment. One that will never apply it is replaced as
     * it is; so is one that takes long, where others have what it has.
     */
    private static boolean mayHaveTheLast(Observation seen, Member member) {
        Replication replication = member.replication().orElse(null);
        if (replication == null
                || hasFailed(member)
                || seen.spec().replication().acknowledgementsRequired() == 0
                || seen.memory().hasDone(Action.Drain.class, member)) {
            return false;
        }
        return replication.io() != Replication.Io.NO
                || !Acknowledgements.enoughHave(
                        seen, replication.received(), other -> other.ordinal() != member.ordinal());
    }

    /** Whatever a replica has received, the primary had before: it was asked last. */
    private static boolean othersHaveAll(Observation seen, Member member) {
        return seen.servingPrimary()
                .flatMap(Member::state)
                .filter(state -> Acknowledgements.enoughHave(
                        seen, state.history(), other -> other.ordinal() != member.ordinal()))
                .isPresent();
    }

    private static void drain(Observation seen, Draft draft, Member member) {
        if (seen.memory().hasTried(Action.Drain.class, member)) {
            draft.note(
                    ClusterReasons.MEMBER_DRAINING,
                    member.name() + " is restarted once it, or another one, has applied what it has received");
        } else {
            draft.act(new Action.Drain(member, DRAIN));
        }
    }

    /** One that is outdated itself may be the reason for the change: it is replaced as it is. */
    private static void waitFor(
            Observation seen, Draft draft, Revisions revisions, List<Member> eligible, Member unwell) {
        boolean isOutdated = eligible.stream().anyMatch(member -> member.ordinal() == unwell.ordinal());
        if (isOutdated && !seen.isPrimary(unwell) && !unwell.isLeaving()) {
            restart(seen, draft, unwell);
        } else if (hasFailed(unwell) || seen.timeOfPod(unwell).compareTo(PATIENCE) > 0) {
            draft.trouble(
                    ClusterReasons.ROLLOUT_STALLED,
                    "RolloutStalled",
                    "Update",
                    unwell.name() + " is not well with " + revisions.update() + ": "
                            + unwell.error().orElse("it is not ready") + "; change the spec back, or mend it");
        }
    }

    private static Optional<Member> unwell(Observation seen) {
        return seen.members().all().stream()
                .filter(member -> member.isLeaving() || !member.podReady() || !isWell(seen, member))
                .findFirst();
    }

    private static boolean isWell(Observation seen, Member member) {
        return seen.isPrimary(member) ? member.isWritable() : Roles.keepsUp(seen, member);
    }

    /** It does not apply what it receives, and will not without somebody. */
    private static boolean hasFailed(Member member) {
        return member.replication().filter(one -> one.sqlErrno() != 0).isPresent();
    }

    /** Once the last one is well, too: until then there is a way back. */
    private static void complete(Observation seen, Draft draft, Revisions revisions) {
        String revision = revisions.update();
        String before = seen.progress().currentRevision();
        if (revision == null
                || revisions.updated() < seen.replicas()
                || unwell(seen).isPresent()) {
            return;
        }
        List<Pod> pods = seen.members().all().stream()
                .flatMap(member -> member.pod().stream())
                .toList();
        Settings.unused(seen.settings(), seen.statefulSet().getSpec().getTemplate(), pods)
                .forEach(map -> draft.act(new Action.Delete(map)));
        if (!revision.equals(before)) {
            draft.progress(progress -> progress.withCurrentRevision(revision));
            if (before != null) {
                draft.tell("RolloutCompleted", "Update", "all members run " + revision);
            }
        }
    }
}
