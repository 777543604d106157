package io.busbar.operator.mysqlcluster.observe;

import io.busbar.operator.mysqlcluster.sql.ServerState;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All servers of a cluster, at one moment.
 *
 * <p>Immutable.
 *
 * @param all by ordinal
 */
public record Members(List<Member> all) {

    public Members {
        all = List.copyOf(all);
    }

    /**
     * @param name of a Pod; empty for null, and where there is no such member
     */
    public Optional<Member> named(@Nullable String name) {
        return all.stream().filter(member -> member.name().equals(name)).findFirst();
    }

    public List<Member> reachable() {
        return all.stream().filter(Member::reachable).toList();
    }

    /** Those that answer, and are not just being given a copy of another's data. */
    public List<Member> complete() {
        return all.stream()
                .filter(member -> member.reachable() && !member.isIncomplete())
                .toList();
    }

    public List<Member> except(Member one) {
        return all.stream().filter(member -> member.ordinal() != one.ordinal()).toList();
    }

    /**
     * Whether most of the other members follow one and cannot get through to it. Who only lags, or is away itself, has
     * not said so.
     */
    public boolean isLostToMost(Member source) {
        List<Member> others = except(source);
        return others.stream().filter(member -> member.hasLost(source)).count() * 2 > others.size();
    }

    /**
     * Whether enough other members acknowledge what one writes; those that only the operator cannot reach may do so.
     *
     * @param required how many
     */
    public boolean isAcknowledged(Member source, int required) {
        return except(source).stream()
                        .filter(member -> member.isReceivingFrom(source) || (!member.reachable() && member.podReady()))
                        .count()
                >= required;
    }

    /** Whether a server has transactions that it wrote itself and no other server has: it must never be promoted. */
    public boolean isErrant(Member member) {
        ServerState state = member.state().orElse(null);
        return state != null
                && !state.own().isEmpty()
                && except(member).stream()
                        .flatMap(other -> other.state().stream())
                        .noneMatch(other -> other.history().contains(state.own()));
    }
}
