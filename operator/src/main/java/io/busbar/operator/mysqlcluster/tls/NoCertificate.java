package io.busbar.operator.mysqlcluster.tls;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.observe.Obstacle;

/**
 * There is no certificate that can be used.
 *
 * <p>Immutable.
 */
final class NoCertificate extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient ConditionReason reason;

    /** @param message for people, with the remedy where one is needed */
    NoCertificate(ConditionReason reason, String message) {
        super(message);
        this.reason = reason;
    }

    Obstacle obstacle() {
        return new Obstacle(reason, String.valueOf(getMessage()));
    }
}
