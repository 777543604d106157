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
 * Lets every member follow the primary that has no reason not to: by the port of programs, or by that for administration
 * where programs hold all connections. They would else hold them for good, where each waits for a replica to acknowledge
 * its write. Pure; any thread.
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
                // It is about to be restarted; in the next turn it is told to follow if it was not.
                .filter(member -> !seen.memory().hasTried(Action.Drain.class, member))
                .toList();
        if (joining.isEmpty()) {
            return Next.GO_ON;
        }
        // Its acknowledgements count from now on, whatever becomes of this operator.
        Set<String> names = joining.stream().map(Member::name).collect(Collectors.toSet());
        draft.act(new Action.Save(draft.progress(), names));
        if (joining.stream().anyMatch(member -> isCrowdedOut(member, primary))) {
            draft.act(new Action.AdmitReplicas(primary));
        }
        draft.act(new Action.AtOnce(
                joining.stream().map(member -> follow(seen, member, primary)).toList()));
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
                || isDenied(replication)
                || isCrowdedOut(member, primary)
                || (!replication.sqlRunning() && replication.sqlErrno() == 0);
    }

    private static boolean isDenied(Replication replication) {
        return replication.ioErrno() == Replication.WRONG_PASSWORD;
    }

    /** Whether the primary has no connection left for it among those of programs, or does not let it in at the others yet. */
    private static boolean isCrowdedOut(Member member, Member primary) {
        Replication replication = member.replicationFrom(primary).orElse(null);
        if (replication == null || !primary.hasAdministrationPort()) {
            return false;
        }
        boolean isAdministering = replication.source().port() == Endpoint.ADMINISTRATION_PORT;
        return isAdministering
                ? replication.ioErrno() == Replication.LACKS_A_RIGHT
                : replication.ioErrno() == Replication.TOO_MANY_CONNECTIONS;
    }

    private static Action follow(Observation seen, Member member, Member primary) {
        Endpoint source = primary.endpoint().orElseThrow();
        Replication before = member.replicationFrom(primary).orElse(null);
        if (before != null && isDenied(before)) {
            // What it has acknowledged goes first: it is asked for anew only once it is applied.
            return new Action.InOrder(
                    new Action.Drain(member, PATIENCE), new Action.Reconnect(member, before.source()));
        }
        if (isCrowdedOut(member, primary)) {
            return new Action.InOrder(
                    new Action.Follow(member, source.forAdministration()),
                    new Action.Tell(
                            seen.cluster(),
                            true,
                            "TooManyConnections",
                            "Follow",
                            "programs hold all connections of " + primary.name() + ": " + member.name()
                                    + " follows it by the port for administration"));
        }
        Action follow = new Action.Follow(member, source);
        boolean own = member.state()
                .map(ServerState::own)
                .filter(mine -> !mine.isEmpty())
                .isPresent();
        boolean isAnother = member.replication().isPresent() && before == null;
        if (!isAnother && !own) {
            return follow;
        }
        String note = member.name() + " follows " + primary.name();
        return new Action.InOrder(follow, new Action.Tell(seen.cluster(), false, "ReplicaRepointed", "Repoint", note));
    }
}
