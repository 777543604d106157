package io.busbar.operator.mysqlcluster.simulation;

/** The operator's process ended at a call: nothing that it does from then on has an effect. Immutable. */
final class OperatorCrash extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OperatorCrash(String call) {
        super("the operator ended at " + call);
    }
}
