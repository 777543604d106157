package io.busbar.operator.mysqlcluster.topology;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import java.util.List;

/** Keeps the primary writable, and it alone. Of two that are, the one in the status stays, whatever the other says. Any thread. */
final class Upkeep implements Step {

    @Override
    public Next take(Turn turn) throws InterruptedException {
        Member primary = turn.primary().orElse(null);
        if (primary == null) {
            return Next.END_TURN;
        }
        List<Member> others = turn.members().except(primary).stream()
                .filter(Member::isWritable)
                .toList();
        for (Member other : others) {
            silence(turn, primary, other);
        }
        if (primary.reachable()
                && (!primary.isWritable() || primary.replication().isPresent())) {
            makeWritable(turn, primary);
        }
        if (primary.isWritable() && others.isEmpty()) {
            return Next.GO_ON;
        }
        turn.look();
        others.forEach(other -> noteSplit(turn, primary, other));
        return turn.servingPrimary().isPresent() ? Next.GO_ON : Next.END_TURN;
    }

    private static void silence(Turn turn, Member primary, Member other) throws InterruptedException {
        try (DatabaseServer server = turn.fleet().connect(other)) {
            server.makeReadOnly();
            server.closeClients();
        } catch (SqlFailure failure) {
            turn.draft()
                    .note(
                            ConditionTypes.DEGRADED,
                            "SplitBrain",
                            other.name() + " cannot be made read-only: " + failure.getMessage());
        }
        turn.warn(
                "SplitBrain",
                "MakeReadOnly",
                other.name() + " was writable beside the primary " + primary.name() + " and is read-only now");
    }

    private static void noteSplit(Turn turn, Member primary, Member other) {
        turn.draft()
                .note(
                        ConditionTypes.SPLIT_BRAIN,
                        "TwoWritable",
                        other.name() + " was writable beside the primary " + primary.name()
                                + "; if it took writes, MemberDiverged will say so");
    }

    private static void makeWritable(Turn turn, Member primary) throws InterruptedException {
        try (DatabaseServer server = turn.fleet().connect(primary)) {
            server.stopFollowing();
            server.acknowledgeByReplicas(turn.spec().replication().semiSync());
            server.makeWritable();
        } catch (SqlFailure failure) {
            turn.draft()
                    .note(
                            ConditionTypes.PRIMARY_READY,
                            "NotWritable",
                            primary.name() + " cannot be made writable: " + failure.getMessage());
        }
    }
}
