package io.busbar.operator.mysqlcluster.rollout;

import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.v1alpha1.UpdateType;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * In which order members are updated: from the highest ordinal down, the primary in its turn or last. Pure; any thread.
 */
final class Order {

    private static final Comparator<Member> HIGHEST_FIRST =
            Comparator.comparingInt(Member::ordinal).reversed();

    private Order() {}

    static List<Member> of(Observation seen, Collection<Member> members) {
        boolean primaryLast = seen.spec().updateStrategy().type() == UpdateType.ReplicasFirstPrimaryLast;
        Comparator<Member> order = primaryLast
                ? Comparator.<Member, Boolean>comparing(member -> seen.isPrimary(member))
                        .thenComparing(HIGHEST_FIRST)
                : HIGHEST_FIRST;
        return members.stream().sorted(order).toList();
    }
}
