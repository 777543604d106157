package io.busbar.operator.mysqlcluster.scale;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.busbar.operator.mysqlcluster.topology.ClusterReasons;
import io.busbar.operator.mysqlcluster.topology.Step;
import io.busbar.operator.mysqlcluster.topology.Switchover;
import io.busbar.operator.mysqlcluster.topology.Turn;
import java.util.List;
import java.util.Optional;

/** Makes as many members as are wanted. Volumes of members that go stay. Any thread. */
public final class Scaling implements Step {

    private final Autoscaler autoscaler;
    private final Switchover switchover;

    public Scaling(Autoscaler autoscaler, Switchover switchover) {
        this.autoscaler = autoscaler;
        this.switchover = switchover;
    }

    @Override
    public Next take(Turn turn) throws InterruptedException {
        int now = turn.replicas();
        int wanted = atLeastOneToAcknowledge(turn, autoscaler.wanted(turn, now));
        turn.draft().targetSize(wanted);
        if (wanted > now) {
            apply(turn, wanted);
            turn.tell("ScaledUp", "Scale", "from " + now + " to " + wanted + " members");
            return Next.END_TURN;
        }
        if (wanted < now) {
            return scaleDown(turn, now, wanted);
        }
        return Next.GO_ON;
    }

    private Next scaleDown(Turn turn, int now, int wanted) throws InterruptedException {
        Member primary = turn.servingPrimary().orElseThrow();
        if (primary.ordinal() >= wanted) {
            Optional<Member> successor = turn.members().all().stream()
                    .filter(member -> member.ordinal() < wanted && turn.keepsUp(member))
                    .findFirst();
            if (successor.isEmpty() || !switchover.to(turn, successor.get())) {
                turn.draft()
                        .note(
                                ClusterReasons.PRIMARY_CANNOT_MOVE,
                                "the primary " + primary.name() + " is among those to go, and nobody can take over");
                return Next.GO_ON;
            }
        }
        if (wouldTakeTheLastReplica(turn, wanted)) {
            turn.draft()
                    .note(
                            ClusterReasons.REPLICAS_AWAY,
                            "no replica that is to stay follows the primary: bring one back before the others go");
            return Next.GO_ON;
        }
        apply(turn, wanted);
        turn.tell("ScaledDown", "Scale", "from " + now + " to " + wanted + " members");
        return Next.END_TURN;
    }

    /** Of those that are there: writes would wait for one that is not, or be nowhere but at the primary. */
    private static boolean wouldTakeTheLastReplica(Turn turn, int wanted) {
        List<Member> following =
                turn.members().all().stream().filter(turn::keepsUp).toList();
        return wanted > 1 && !following.isEmpty() && following.stream().noneMatch(member -> member.ordinal() < wanted);
    }

    /** Without a replica no write would ever be acknowledged. */
    private static int atLeastOneToAcknowledge(Turn turn, int wanted) {
        if (wanted > 1 || !turn.spec().replication().semiSync()) {
            return wanted;
        }
        turn.draft()
                .note(ClusterReasons.SEMI_SYNC_NEEDS_A_REPLICA, "spec.replication.semiSync needs at least 2 members");
        return 2;
    }

    private static void apply(Turn turn, int replicas) {
        turn.draft().phase(ClusterReasons.SCALING);
        turn.context().apply(new ClusterObjects(turn.cluster()).statefulSet(replicas));
    }
}
