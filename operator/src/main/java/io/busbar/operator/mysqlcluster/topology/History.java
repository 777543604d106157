package io.busbar.operator.mysqlcluster.topology;

import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.sql.ServerState;

/** How what a member has relates to what the primary has. Immutable. */
enum History {
    /** It can go on from where it is. */
    FITS,
    /** It has nothing, while the primary has something. */
    MISSING,
    /** It has what the primary does not have, or the primary cannot tell any more. */
    DIVERGED;

    /**
     * @param member that is reachable, as is the primary
     */
    static History of(Turn turn, Member member, Member primary) {
        ServerState mine = member.state().orElseThrow();
        ServerState theirs = primary.state().orElseThrow();
        if (mine.isBlank()) {
            // One that follows was told to when there was nothing yet: the first of it is on its way.
            return theirs.history().isEmpty() || member.isFollowing(primary) ? FITS : MISSING;
        }
        if (member.isRefusedBySource() || !theirs.history().contains(mine.own())) {
            return DIVERGED;
        }
        return FITS;
    }
}
