package io.busbar.operator.mysqlcluster.topology;

import io.busbar.operator.mysqlcluster.member.Member;

/** What a new cluster begins with. Any thread. */
@FunctionalInterface
public interface Seeding {

    /** Nothing but what the image puts there. */
    Seeding NOTHING = (turn, first) -> true;

    /**
     * Whether the first primary has what it is to begin with; brings that about, a step at each call, where it does not.
     *
     * @param first of the servers: read-only still
     */
    boolean isSeeded(Turn turn, Member first) throws InterruptedException;
}
