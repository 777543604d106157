package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Lets every member follow the primary that has no reason not to: by the port of programs, or by that for
 * administration where programs hold all connections. They would else hold them for good, where each waits for a
 * replica to acknowledge its write. Pure; any thread.
 */
public final class Joining implements Step {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Override
    public Next decide(Observation seen, Draft draft) {
        Member primary = seen.head().orElse(null);
        if (primary == null) {
            return Next.END_TURN;
        }
        List<Member> joining = seen.members().except(primary).stream()
                .filter(Member::reachable)
                .filter(member -> History.of(seen, member, primary) == History.FITS)
                .filter(member -> !Cloning.isUnderWay(seen, member))
                .filter(member -> mustBeTold(member, primary))
                .filter(member -> !isGoing(seen, member))
                .filter(member -> !seen.memory().hasTried(Action.Follow.class, member))
                .filter(member -> !mustBeAdmitted(member, primary)
                        || !seen.memory().hasTried(Action.AdmitReplicas.class, primary))
                // It is about to be restarted; in the next turn it is told to follow if it was not.
                .filter(member -> !seen.memory().hasTried(Action.Drain.class, member))
                .toList();
        if (joining.isEmpty()) {
            return Next.GO_ON;
        }
        // Its acknowledgements count from now on, whatever becomes of this operator.
        Set<String> names = joining.stream().map(Member::name).collect(Collectors.toSet());
        draft.act(
                new Action.Save(draft.progress(), names),
                new Action.AtOnce(joining.stream()
                        .map(member -> follow(seen, member, primary))
                        .toList()));
        return Next.GO_ON;
    }

    /**
     * One that is to go is not told to follow again, so that it acknowledges nothing more, as long as those that are to
     * stay do that.
     */
    private static boolean isGoing(Observation seen, Member member) {
        int required = seen.spec().replication().acknowledgementsRequired();
        int wanted = seen.progress().targetSize();
        return required > 0 && wanted > 0 && member.ordinal() >= wanted && stayingReplicas(seen, wanted) >= required;
    }

    /** How many keep up of those that stay where there are to be so many members. */
    public static long stayingReplicas(Observation seen, int wanted) {
        return seen.members().all().stream()
                .filter(member -> member.ordinal() < wanted && Roles.keepsUp(seen, member))
                .count();
    }

    /** One that only waits for its source is left alone. */
    private static boolean mustBeTold(Member member, Member primary) {
        Replication replication = member.replication().orElse(null);
        return replication == null
                || !primary.isAt(replication.source())
                || replication.io() == Replication.Io.NO
                || replication.ioErrno() == Replication.WRONG_PASSWORD
                || isCrowdedOut(replication, primary)
                || isShutOut(replication)
                || (!replication.sqlRunning() && replication.sqlErrno() == 0);
    }

    /** Whether the primary is to let it in by the port for administration before anything else. */
    private static boolean mustBeAdmitted(Member member, Member primary) {
        return member.replicationFrom(primary)
                .filter(one -> isCrowdedOut(one, primary) || one.ioErrno() == Replication.LACKS_A_RIGHT)
                .isPresent();
    }

    /** Whether the primary has no connection left for it among those of programs. */
    private static boolean isCrowdedOut(Replication replication, Member primary) {
        return primary.hasAdministrationPort()
                && !isAdministering(replication)
                && replication.ioErrno() == Replication.TOO_MANY_CONNECTIONS;
    }

    /** Whether it does not get in by the port for administration, as where a firewall knows nothing of that. */
    private static boolean isShutOut(Replication replication) {
        return isAdministering(replication)
                && replication.io() == Replication.Io.CONNECTING
                && replication.ioErrno() != 0;
    }

    private static boolean isAdministering(Replication replication) {
        return replication.source().port() == Endpoint.ADMINISTRATION_PORT;
    }

    private static Action follow(Observation seen, Member member, Member primary) {
        Endpoint source = primary.endpoint().orElseThrow();
        Replication before = member.replicationFrom(primary).orElse(null);
        if (before == null) {
            Action follow = new Action.Follow(member, source);
            return member.replication().isPresent() || hasOwn(member) ? repoint(seen, follow, member, primary) : follow;
        }
        // Led elsewhere, it asks anew for what it has not applied: what it has acknowledged is applied first.
        Action drain = new Action.Drain(member, PATIENCE);
        if (before.ioErrno() == Replication.WRONG_PASSWORD) {
            return new Action.InOrder(drain, new Action.Reconnect(member, before.source()));
        }
        if (isCrowdedOut(before, primary)) {
            return new Action.InOrder(
                    new Action.AdmitReplicas(primary),
                    drain,
                    new Action.Follow(member, source.forAdministration()),
                    new Action.Tell(
                            seen.cluster(),
                            true,
                            "TooManyConnections",
                            "Follow",
                            "programs hold all connections of " + primary.name() + ": " + member.name()
                                    + " follows it by the port for administration"));
        }
        if (isShutOut(before)) {
            return before.ioErrno() == Replication.LACKS_A_RIGHT
                    ? new Action.AdmitReplicas(primary)
                    : new Action.InOrder(drain, new Action.Follow(member, source));
        }
        Action follow = new Action.Follow(member, before.source());
        return hasOwn(member) ? repoint(seen, follow, member, primary) : follow;
    }

    private static boolean hasOwn(Member member) {
        return member.state()
                .map(ServerState::own)
                .filter(mine -> !mine.isEmpty())
                .isPresent();
    }

    private static Action repoint(Observation seen, Action follow, Member member, Member primary) {
        String note = member.name() + " follows " + primary.name();
        return new Action.InOrder(follow, new Action.Tell(seen.cluster(), false, "ReplicaRepointed", "Repoint", note));
    }
}
