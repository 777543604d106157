package io.busbar.operator.mysqlcluster.topology;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the primary writable, and it alone. Of two that are, the one in the status stays, whatever the other says. One that has lost what it was seen
 * to have is not opened: its replicas would be given copies of what is left. Any thread.
 */
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
        Optional<String> lost = LastSeen.lost(turn, primary);
        boolean mustBeWritable = primary.reachable()
                && lost.isEmpty()
                && (!primary.isWritable() || primary.replication().isPresent());
        if (others.isEmpty() && !mustBeWritable) {
            lost.ifPresent(what -> noteBehind(turn, primary, what));
            return primary.isWritable() ? Next.GO_ON : Next.END_TURN;
        }
        Map<Member, Optional<SqlFailure>> silenced = new LinkedHashMap<>();
        for (Member other : others) {
            silenced.put(other, silence(turn, primary, other));
        }
        Optional<SqlFailure> notWritable = mustBeWritable ? makeWritable(turn, primary) : Optional.empty();
        turn.look();
        // What is noted before a look is forgotten.
        silenced.forEach((other, failure) -> noteSplit(turn, primary, other, failure));
        notWritable.ifPresent(failure -> noteNotWritable(turn, primary, failure));
        lost.ifPresent(what -> noteBehind(turn, primary, what));
        return turn.servingPrimary().isPresent() ? Next.GO_ON : Next.END_TURN;
    }

    static void noteBehind(Turn turn, Member primary, String lost) {
        turn.trouble(
                ClusterReasons.PRIMARY_LACKS_DATA,
                "PrimaryLacksData",
                "MakeWritable",
                primary.name() + " does not have " + lost
                        + ", and takes no writes: bring its"
                        + " volume back, or put a backup in its place by a MySQLRestore, or, to go on with what it has, "
                        + LastSeen.acceptance(primary));
    }

    private static Optional<SqlFailure> silence(Turn turn, Member primary, Member other) throws InterruptedException {
        try {
            Writes.close(turn, other);
        } catch (SqlFailure failure) {
            return Optional.of(failure);
        }
        turn.warn(
                "SplitBrain",
                "MakeReadOnly",
                other.name() + " was writable beside the primary " + primary.name() + " and is read-only now");
        return Optional.empty();
    }

    private static void noteSplit(Turn turn, Member primary, Member other, Optional<SqlFailure> failure) {
        failure.ifPresent(why -> turn.draft()
                .note(
                        ClusterReasons.WRITABLE_BESIDE_PRIMARY,
                        other.name() + " cannot be made read-only: " + why.getMessage()));
        turn.draft()
                .note(
                        ClusterReasons.TWO_WRITABLE,
                        other.name() + " was writable beside the primary " + primary.name()
                                + "; if it took writes, MemberDiverged will say so");
    }

    private static Optional<SqlFailure> makeWritable(Turn turn, Member primary) throws InterruptedException {
        try {
            Writes.open(turn, primary);
            return Optional.empty();
        } catch (SqlFailure failure) {
            return Optional.of(failure);
        }
    }

    private static void noteNotWritable(Turn turn, Member primary, SqlFailure failure) {
        turn.draft()
                .note(
                        ClusterReasons.NOT_WRITABLE,
                        primary.name() + " cannot be made writable: " + failure.getMessage());
    }
}
