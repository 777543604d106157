package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import java.util.Optional;

/** How what a member has relates to what the primary has. Immutable. */
enum History {
    /** It can go on from where it is. */
    FITS,
    /** It has nothing, while the primary has something; or only part of what it was being given. */
    MISSING,
    /** It has what the primary does not have, or lacks what the primary cannot tell any more, or would tell in vain. */
    DIVERGED,
    /** It has what comes from outside before the primary has it: it can go on once that one has it, too. */
    EARLY,
    /**
     * It has what the primary itself wrote and does not have any more: what the primary is missing must not be erased
     * here, too.
     */
    AHEAD;

    /**
     * Compares whole sets: what a member has beyond the primary may have been written by a third server. What the
     * primary itself wrote may be on its way: with semi-synchronous replication a replica has it before the primary
     * counts it.
     *
     * @param refused whether the primary says that it does not have what the member asks for
     */
    static History of(ServerState mine, ServerState theirs, boolean refused) {
        Position more = mine.history().minus(theirs.history());
        if (!more.notBy(theirs.writer()).isEmpty()) {
            return DIVERGED;
        }
        if (!refused) {
            return lostOwn(mine, theirs).isEmpty() ? FITS : DIVERGED;
        }
        return more.isEmpty() ? DIVERGED : AHEAD;
    }

    /**
     * What it wrote itself and has lost, as with a volume that was put back, where it does not take that from another.
     */
    private static Optional<Position> lostOwn(ServerState mine, ServerState theirs) {
        Position its = theirs.history().minus(theirs.history().notBy(mine.writer()));
        return Optional.of(its.minus(mine.history())).filter(lost -> mine.passesOverOwn() && !lost.isEmpty());
    }

    /**
     * @param member that is reachable, as is the primary
     */
    static History of(Observation seen, Member member, Member primary) {
        ServerState mine = member.state().orElseThrow();
        ServerState theirs = primary.state().orElseThrow();
        if (mine.incomplete()) {
            return MISSING;
        }
        if (mine.isBlank()) {
            // One that follows was told to when there was nothing yet: the first of it is on its way.
            return theirs.history().isEmpty() || member.isFollowingOrConnecting(primary) ? FITS : MISSING;
        }
        if (seen.isMigrating()) {
            // Nobody but the server outside writes, so that all have some beginning of the same.
            return !theirs.history().contains(mine.history()) ? EARLY : member.isRefusedBy(primary) ? DIVERGED : FITS;
        }
        History history = of(mine, theirs, member.isRefusedBy(primary));
        return history == FITS && skipped(seen, member, primary).isPresent() ? DIVERGED : history;
    }

    /** What of the primary's history a member will never get by following it. */
    static Optional<Position> lost(Observation seen, Member member, Member primary) {
        return lostOwn(member.state().orElseThrow(), primary.state().orElseThrow())
                .or(() -> skipped(seen, member, primary));
    }

    /** What it was not sent, although it has got what was written after that. */
    private static Optional<Position> skipped(Observation seen, Member member, Member primary) {
        return Optional.ofNullable(seen.memory().remembered().awaited().get(member.name()))
                .flatMap(awaited -> awaited.skipped(member, primary, seen.steadily()));
    }
}
