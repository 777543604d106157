package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;

/** What a new cluster begins with. Pure; any thread. */
@FunctionalInterface
public interface Seeding {

    /** Nothing but what the image puts there. */
    Seeding NOTHING = (seen, first, draft) -> true;

    /**
     * Whether the first primary has what it is to begin with; brings that about where it does not.
     *
     * @param first of the servers: read-only still
     */
    boolean isSeeded(Observation seen, Member first, Draft draft);
}
