package io.busbar.operator.mysqlcluster.sql;

/** Is asked before and after everything that an operator does, and ends it by throwing. Any thread. */
public interface ActionsOfOperator {

    /** @throws RuntimeException where the operator has ended */
    void goOn();

    /**
     * It is about to change something.
     *
     * @throws RuntimeException where the operator has ended, or ends here: nothing is changed
     */
    void begins(String action);

    /**
     * It has changed something, and does not know yet.
     *
     * @throws RuntimeException where the operator has ended, or ends here: it never gets to know
     */
    void done(String action);
}
