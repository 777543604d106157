package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Members;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Who is the primary where the status does not say so: because the cluster is new, or because its status was lost while
 * its servers run.
 *
 * <p>A server starts read-only, so one that takes writes was opened by an operator. If it is the only one and nobody
 * has anything that it lacks, it stays the primary: whatever else were chosen would cost the writes that clients are
 * being told are kept. If nobody takes writes, it is the one that has all, and among several of those the one whom the
 * others follow. In all other cases nobody is chosen. Pure; any thread.
 */
sealed interface FirstPrimary {

    /** It takes writes already. Immutable. */
    record Serving(Member member) implements FirstPrimary {}

    /** It is to be opened. Immutable. */
    record ToOpen(Member member) implements FirstPrimary {}

    /**
     * A member has to be seen first.
     *
     * <p>Immutable.
     *
     * @param message for people
     */
    record Waiting(String message) implements FirstPrimary {}

    /**
     * Several take writes.
     *
     * <p>Immutable.
     *
     * @param names of at least two
     */
    record SeveralServe(List<String> names) implements FirstPrimary {}

    /** Each of two has what the other one lacks. Immutable. */
    record Incomparable(Ranking.Incomparable both) implements FirstPrimary {}

    /**
     * @param members of which those that take writes were asked after all others, so that what another has from them is
     *     known to be theirs
     * @param hadData whether it is known of a member that cannot be seen that it had data
     */
    static FirstPrimary among(Members members, Predicate<Member> hadData) {
        List<Member> serving = members.reachable().stream()
                .filter(Member::isWritable)
                .filter(member -> source(members, member).isEmpty())
                .toList();
        return switch (serving.size()) {
            case 0 -> ofReadOnly(members, hadData);
            case 1 -> ofServing(members, serving.get(0));
            default -> new SeveralServe(serving.stream().map(Member::name).toList());
        };
    }

    private static FirstPrimary ofServing(Members members, Member serving) {
        for (Member other : members.except(serving)) {
            if (other.reachable() && !more(other, serving).isEmpty()) {
                return new Incomparable(new Ranking.Incomparable(entry(serving), entry(other)));
            }
        }
        Optional<Member> away = away(members);
        boolean followed = members.all().stream().anyMatch(member -> follows(member, serving));
        if (away.isPresent() && !followed) {
            return new Waiting(serving.name() + " takes writes, but nobody who is seen follows it: waiting for "
                    + why(away.get()) + ", who may have been the primary after it");
        }
        return new Serving(serving);
    }

    /**
     * What a member has that the one that serves will never have: what that one wrote itself and the other received is
     * only not counted yet.
     */
    private static Position more(Member other, Member serving) {
        ServerState theirs = serving.state().orElseThrow();
        Position more = history(other).minus(theirs.history());
        return follows(other, serving) ? more.notBy(theirs.writer()) : more;
    }

    private static FirstPrimary ofReadOnly(Members members, Predicate<Member> hadData) {
        Optional<Member> mixed =
                members.reachable().stream().filter(Member::isWritable).findFirst();
        if (mixed.isPresent()) {
            return new Waiting(
                    mixed.get().name() + " takes writes although it follows another member: make it read-only");
        }
        boolean anyData = members.reachable().stream().anyMatch(member -> !member.isBlank());
        Optional<Member> unseen = members.all().stream()
                .filter(member -> !member.reachable())
                .filter(member -> anyData || member.ordinal() == 0 || hadData.test(member))
                .findFirst();
        if (unseen.isPresent()) {
            return new Waiting("waiting for " + why(unseen.get()));
        }
        Optional<Member> applying = members.reachable().stream()
                .filter(member -> !member.isIncomplete() && hasReceivedMore(member))
                .findFirst();
        if (applying.isPresent()) {
            return new Waiting(
                    applying.get().name() + " has not applied yet what it received, which may be acknowledged"
                            + applying.get().error().map(why -> ": " + why).orElse(""));
        }
        Ranking ranking =
                Ranking.of(members.reachable().stream().map(FirstPrimary::entry).toList());
        if (ranking instanceof Ranking.Incomparable both) {
            return new Incomparable(both);
        }
        if (ranking instanceof Ranking.Most most) {
            List<Member> equals = members.reachable().stream()
                    .filter(member ->
                            entry(member).history().contains(most.entry().history()))
                    .toList();
            return new ToOpen(equals.stream()
                    .filter(member -> members.all().stream().anyMatch(other -> follows(other, member)))
                    .filter(member -> source(members, member).isEmpty())
                    .findFirst()
                    .orElse(equals.get(0)));
        }
        return new Waiting("waiting for the first member");
    }

    /** What a member has received it throws away when it follows another. */
    private static boolean hasReceivedMore(Member member) {
        return member.replication()
                .filter(one -> !one.isUnbegun() && !history(member).contains(one.received()))
                .isPresent();
    }

    private static Optional<Member> away(Members members) {
        return members.all().stream().filter(member -> !member.reachable()).findFirst();
    }

    private static String why(Member unseen) {
        return unseen.name() + " (" + unseen.error().orElse("it has no address yet") + ")";
    }

    private static Ranking.Entry entry(Member member) {
        return new Ranking.Entry(member.name(), history(member));
    }

    /** Part of a copy is nothing to begin with, wherever its position is. */
    private static Position history(Member member) {
        ServerState state = member.state().orElseThrow();
        return state.incomplete() ? Position.of(state.flavor(), "") : state.history();
    }

    /** Which member it was told to follow, whether or not it gets anything from there. */
    private static Optional<Member> source(Members members, Member member) {
        return members.except(member).stream()
                .filter(other -> follows(member, other))
                .findFirst();
    }

    private static boolean follows(Member member, Member source) {
        return member.replicationFrom(source).isPresent();
    }
}
