package io.busbar.operator.mysqlcluster.rollout;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What members run, and what they are to run.
 *
 * <p>Immutable.
 *
 * @param update the revision of the StatefulSet's template; null while that is not known
 * @param outdated members that run another, by ordinal
 * @param updated how many run it
 */
public record Revisions(@Nullable String update, List<Member> outdated, int updated) {

    public static Revisions of(Observation seen) {
        String update = seen.updateRevision().orElse(null);
        List<Member> there = seen.members().all().stream()
                .filter(member -> member.pod().isPresent())
                .toList();
        if (update == null) {
            return new Revisions(null, List.of(), 0);
        }
        List<Member> outdated = there.stream()
                .filter(member -> !revision(member).equals(update))
                .toList();
        return new Revisions(update, outdated, there.size() - outdated.size());
    }

    private static String revision(Member member) {
        return ClusterNames.label(member.pod().orElseThrow(), ClusterNames.REVISION);
    }
}
