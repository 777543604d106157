package io.busbar.operator.mysqlcluster.topology;

/** One thing that is looked after at each turn. Any thread. */
@FunctionalInterface
public interface Step {

    /** Whether the steps after it may be taken. */
    enum Next {
        GO_ON,
        /** What comes after has to wait: the cluster is looked at again soon. */
        END_TURN
    }

    Next take(Turn turn) throws InterruptedException;
}
