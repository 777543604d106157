package io.busbar.reconciler.dependent;

import static io.busbar.common.condition.ConditionReason.ofFalse;
import static io.busbar.common.condition.ConditionReason.ofTrue;
import static io.busbar.common.condition.Conditions.AVAILABLE;
import static io.busbar.common.condition.Conditions.DEGRADED;
import static io.busbar.common.condition.Conditions.PROGRESSING;

import io.busbar.common.condition.ConditionReason;
import io.busbar.reconciler.ObjectNotOwnedException;

/** What the conditions that come from a {@link Rollout} may give as their reason. Immutable. */
final class RolloutReasons {

    /** As a Deployment says it too. */
    static final String DEADLINE_EXCEEDED = "ProgressDeadlineExceeded";

    static final ConditionReason ALL_AVAILABLE =
            ofTrue(AVAILABLE, "MinimumReplicasAvailable", "as many Pods are available as are asked for");
    static final ConditionReason SOME_UNAVAILABLE =
            ofFalse(AVAILABLE, "ReplicasUnavailable", "fewer Pods are available than are asked for");

    static final ConditionReason ROLLING_OUT =
            ofTrue(PROGRESSING, "RollingOut", "what was asked for is on its way; the message counts Pods");
    static final ConditionReason ROLLED_OUT = ofFalse(PROGRESSING, "RolledOut", "all is as it was asked for");
    static final ConditionReason STALLED =
            ofFalse(PROGRESSING, DEADLINE_EXCEEDED, "a Deployment made no progress for its progressDeadlineSeconds");
    static final ConditionReason REFUSED =
            ofFalse(PROGRESSING, "Refused", "the API server does not store an object as it is desired");
    static final ConditionReason NOT_OWNED = ofFalse(
            PROGRESSING, ObjectNotOwnedException.REASON, "an object of the same name is there and is somebody else's");
    static final ConditionReason FAILED =
            ofFalse(PROGRESSING, "Failed", "a step went wrong and is tried again; it may mend by itself");

    static final ConditionReason AS_EXPECTED = ofFalse(DEGRADED, "AsExpected", "nobody need look");
    static final ConditionReason DEGRADED_AS_STALLED =
            ofTrue(DEGRADED, STALLED.reason(), "the new Pods do not become available: look at them");
    static final ConditionReason DEGRADED_AS_REFUSED =
            ofTrue(DEGRADED, REFUSED.reason(), "the message has the words of the API server: change the spec");
    static final ConditionReason DEGRADED_AS_NOT_OWNED =
            ofTrue(DEGRADED, NOT_OWNED.reason(), "the message names the object: delete or rename one of the two");
    static final ConditionReason DEGRADED_AS_FAILED =
            ofTrue(DEGRADED, FAILED.reason(), "the message says what went wrong; it is tried again");

    private RolloutReasons() {}
}
