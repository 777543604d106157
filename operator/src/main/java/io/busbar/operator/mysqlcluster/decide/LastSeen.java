package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberStatus;
import java.util.Optional;

/**
 * What the status last told of a member, held against what its server has now: a volume that was lost, or is an older
 * copy, shows by that. Pure; any thread.
 */
public final class LastSeen {

    /** In place of the position of a server that has nothing. */
    static final String NOTHING = "nothing";

    private LastSeen() {}

    /**
     * Whether the primary answers, takes no writes yet, and has lost some of what it was seen to have, or has only part
     * of what it was being given: it must not be opened.
     *
     * @param primary whom the status names
     */
    public static boolean isBehind(Observation seen, Member primary) {
        return primary.isIncomplete() || expected(seen, primary).isPresent();
    }

    /** What that is, for people. */
    static Optional<String> lost(Observation seen, Member primary) {
        return primary.isIncomplete()
                ? Optional.of("all of the data that it was being given")
                : expected(seen, primary)
                        .map(gtid -> lost(gtid, primary.state().orElseThrow()) + ", which it was seen to have");
    }

    /**
     * What it should have and has not: what was told of it, or else, as that may be half a minute old, what a replica
     * had from it.
     */
    public static Optional<String> expected(Observation seen, Member primary) {
        ServerState state = primary.state().orElse(null);
        if (state == null
                || !state.readOnly()
                || seen.memory().hasDone(Action.Seed.class, primary)
                || isAccepted(seen, state)) {
            return Optional.empty();
        }
        return seen.cluster().told().members().stream()
                .filter(status -> status.name().equals(primary.name()))
                .findFirst()
                .map(MemberStatus::gtid)
                .filter(gtid -> !lost(gtid, state).isEmpty())
                // From outside it may come to a replica first.
                .or(() -> seen.members().except(primary).stream()
                        .filter(member -> !seen.isMigrating())
                        .flatMap(member -> member.state().stream())
                        .filter(replica -> hasMore(replica, state))
                        .map(replica -> replica.history().text())
                        .findFirst());
    }

    /**
     * Whether a replica has all that a primary has and more, which it cannot have from anybody else. What it wrote
     * itself does not count, unless the primary has nothing at all.
     */
    private static boolean hasMore(ServerState replica, ServerState primary) {
        if (replica.flavor() != primary.flavor()
                || replica.replication().isEmpty()
                || !replica.history().contains(primary.history())) {
            return false;
        }
        Position more = replica.history().minus(primary.history());
        return primary.isBlank() ? !more.isEmpty() : !more.minus(replica.own()).isEmpty();
    }

    /** All of it where it is another product's. */
    private static String lost(String gtid, ServerState state) {
        try {
            return Position.of(state.flavor(), gtid).minus(state.history()).text();
        } catch (IllegalArgumentException ofAnotherProduct) {
            return gtid;
        }
    }

    /** What its author does to go on with it as it is. */
    static String acceptance(Member primary) {
        if (primary.state().flatMap(ServerState::copy).isPresent()) {
            return "say RESET PERSIST clone_valid_donor_list to its server";
        }
        return primary.isIncomplete()
                ? "drop its schema " + DatabaseServer.MARK_OF_INCOMPLETE
                : "annotate the MySQLCluster with " + ClusterKeys.ACCEPTED_POSITION.name() + "="
                        + text(primary.state().orElseThrow());
    }

    /** Whether its author wants to go on with what a member has. */
    static boolean isAccepted(Observation seen, Member member) {
        return member.state().filter(state -> isAccepted(seen, state)).isPresent();
    }

    private static boolean isAccepted(Observation seen, ServerState state) {
        return ClusterKeys.ACCEPTED_POSITION
                .of(seen.cluster())
                .filter(text(state)::equals)
                .isPresent();
    }

    private static String text(ServerState state) {
        return state.history().isEmpty() ? NOTHING : state.history().text();
    }
}
