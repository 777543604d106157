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

/** Lets every member follow the primary that has no reason not to. Pure; any thread. */
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
                || !primary.endpoint().orElseThrow().equals(replication.source())
                || replication.io() == Replication.Io.NO
                || isDenied(replication)
                || (!replication.sqlRunning() && replication.sqlErrno() == 0);
    }

    private static boolean isDenied(Replication replication) {
        return replication.ioErrno() == Replication.WRONG_PASSWORD;
    }

    private static boolean isAnother(Member member, Endpoint source) {
        return member.replication()
                .filter(before -> !before.source().equals(source))
                .isPresent();
    }

    private static Action follow(Observation seen, Member member, Member primary) {
        Endpoint source = primary.endpoint().orElseThrow();
        if (member.replication().filter(Joining::isDenied).isPresent() && !isAnother(member, source)) {
            // What it has acknowledged goes first: it is asked for anew only once it is applied.
            return new Action.InOrder(new Action.Drain(member, PATIENCE), new Action.Reconnect(member, source));
        }
        Action follow = new Action.Follow(member, source);
        boolean own = member.state()
                .map(ServerState::own)
                .filter(mine -> !mine.isEmpty())
                .isPresent();
        if (!isAnother(member, source) && !own) {
            return follow;
        }
        String note = member.name() + " follows " + primary.name();
        return new Action.InOrder(follow, new Action.Tell(seen.cluster(), false, "ReplicaRepointed", "Repoint", note));
    }
}
