package io.busbar.operator.mysqlcluster.rollout;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.topology.Turn;
import io.busbar.operator.mysqlcluster.v1alpha1.UpdateType;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** In which order members are updated: from the highest ordinal down, the primary in its turn or last. Pure; any thread. */
final class Order {

    private static final Comparator<Member> HIGHEST_FIRST =
            Comparator.comparingInt(Member::ordinal).reversed();

    private Order() {}

    static List<Member> of(Turn turn, Collection<Member> members) {
        boolean primaryLast = turn.spec().updateStrategy().type() == UpdateType.ReplicasFirstPrimaryLast;
        Comparator<Member> order = primaryLast
                ? Comparator.<Member, Boolean>comparing(member -> isPrimary(turn, member))
                        .thenComparing(HIGHEST_FIRST)
                : HIGHEST_FIRST;
        return members.stream().sorted(order).toList();
    }

    static boolean isPrimary(Turn turn, Member member) {
        return member.name().equals(turn.draft().primary());
    }
}
