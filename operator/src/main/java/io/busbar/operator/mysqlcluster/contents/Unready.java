package io.busbar.operator.mysqlcluster.contents;

import io.busbar.common.condition.ConditionReason;

/** Something has to be there first, or to be put right. Immutable. */
final class Unready extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient ConditionReason reason;

    /** @param message for people; without any password */
    Unready(ConditionReason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    ConditionReason reason() {
        return reason;
    }

    String message() {
        return String.valueOf(getMessage());
    }
}
