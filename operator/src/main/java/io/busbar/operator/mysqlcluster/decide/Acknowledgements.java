package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberStatus;
import java.util.List;
import java.util.function.Predicate;

/**
 * Has the primary wait for as many replicas as the spec asks for, and no other member for any, and the status tell how
 * many there are of each write that was acknowledged: an {@link Election} does without as many members, less one. Pure;
 * any thread.
 *
 * <p>The status never tells of more than there are. A lower number is told before the server is told of it. A higher
 * one only when the server was seen to wait for so many, together with the position that it had then: what was
 * acknowledged before by fewer is part of that, and nobody is elected who does not have it.
 */
public final class Acknowledgements implements Step {

    @Override
    public Next decide(Observation seen, Draft draft) {
        Member primary = seen.servingPrimary().orElse(null);
        if (primary == null) {
            return Next.GO_ON;
        }
        int required = seen.spec().replication().acknowledgementsRequired();
        int actual = primary.state().orElseThrow().acknowledgements();
        if (actual == required) {
            draft.progress(progress -> progress.withAcknowledgements(required));
        } else if (required > 0
                && (actual > 0 || seen.progress().acknowledgements() > 0)
                && !seen.memory().hasTried(Action.RequireAcknowledgements.class, primary)) {
            // One that has never waited has no settings for it yet: it is restarted, or replaced, with them.
            expectNoMoreThanRequired(seen, draft);
            draft.act(new Action.RequireAcknowledgements(primary, required));
        } else {
            expectNoMoreThanRequired(seen, draft);
        }
        List<Action> waiting = toWaitForNobody(seen, primary);
        if (!waiting.isEmpty()) {
            draft.act(new Action.AtOnce(waiting));
        }
        return Next.GO_ON;
    }

    /**
     * A replica waits also with what it applies, for others that may never come. What a former leader told it when it
     * was the primary may get to it long after it was told to follow another.
     *
     * @param primary who may wait
     */
    static List<Action> toWaitForNobody(Observation seen, Member primary) {
        return seen.members().except(primary).stream()
                .filter(member -> member.state()
                        .filter(state -> state.readOnly() && state.acknowledgements() > 0)
                        .flatMap(ServerState::replication)
                        .filter(Replication::sqlRunning)
                        .isPresent())
                .filter(member -> !seen.memory().hasTried(Action.RequireAcknowledgements.class, member))
                .<Action>map(member -> new Action.RequireAcknowledgements(member, 0))
                .toList();
    }

    /**
     * Whether as many replicas have something as have to acknowledge a write.
     *
     * @param position of what they have
     * @param counted which of them count
     */
    public static boolean enoughHave(Observation seen, Position position, Predicate<Member> counted) {
        return seen.members().all().stream()
                        .filter(counted.and(member -> Roles.keepsUp(seen, member)))
                        .flatMap(member -> member.state().stream())
                        .filter(state -> state.history().contains(position))
                        .count()
                >= seen.spec().replication().acknowledgementsRequired();
    }

    /** Whether a member that does not answer was there when it was last seen, and is not known to be down. */
    public static boolean mayAcknowledgeUnseen(Observation seen, Member member) {
        return !member.reachable()
                && !member.isDown()
                && seen.spec().replication().acknowledgementsRequired() > 0
                && seen.cluster().told().members().stream()
                        .filter(told -> told.name().equals(member.name()))
                        .findFirst()
                        .map(MemberStatus::ioRunning)
                        .orElse(true);
    }

    /** Before a server is told of a number: writes are acknowledged by so many from then on. */
    static void expectNoMoreThanRequired(Observation seen, Draft draft) {
        int required = seen.spec().replication().acknowledgementsRequired();
        if (required < draft.progress().acknowledgements()) {
            draft.save(progress -> progress.withAcknowledgements(required));
        }
    }
}
