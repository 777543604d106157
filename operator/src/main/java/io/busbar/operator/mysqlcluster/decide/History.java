package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;

/** How what a member has relates to what the primary has. Immutable. */
enum History {
    /** It can go on from where it is. */
    FITS,
    /** It has nothing, while the primary has something; or only part of what it was being given. */
    MISSING,
    /** It has what the primary does not have, or the primary cannot tell any more. */
    DIVERGED,
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
            return FITS;
        }
        return more.isEmpty() ? DIVERGED : AHEAD;
    }

    /**
     * @param member that is reachable, as is the primary
     */
    static History of(Member member, Member primary) {
        ServerState mine = member.state().orElseThrow();
        ServerState theirs = primary.state().orElseThrow();
        if (mine.incomplete()) {
            return MISSING;
        }
        if (mine.isBlank()) {
            // One that follows was told to when there was nothing yet: the first of it is on its way.
            return theirs.history().isEmpty() || member.isFollowingOrConnecting(primary) ? FITS : MISSING;
        }
        return of(mine, theirs, member.isRefusedBy(primary));
    }
}
