package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.observe.Observation;

/** One thing that is looked after. Pure: it asks and changes nothing but the draft. Any thread. */
@FunctionalInterface
public interface Step {

    /** Whether the steps after it may be taken. */
    enum Next {
        GO_ON,
        /** What comes after has to wait: the cluster is looked at again soon. */
        END_TURN
    }

    /** Where it adds actions, they are done first, and then it is decided again by what has become of them. */
    Next decide(Observation seen, Draft draft);
}
