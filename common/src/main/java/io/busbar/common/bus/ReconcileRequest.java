package io.busbar.common.bus;

import io.busbar.common.ObjectKey;

/**
 * Asks a controller to look at one of its primaries.
 *
 * <p>Immutable.
 *
 * @param traceparent of what has made it necessary, as {@link io.busbar.common.trace} passes it on; empty where that is
 *     not traced
 * @param cause what has made it necessary
 */
public record ReconcileRequest(ObjectKey key, Reason reason, String traceparent, Cause cause) {

    /** One that is not traced, and for no change of an object. */
    public ReconcileRequest(ObjectKey key, Reason reason) {
        this(key, reason, "", Cause.of(reason == Reason.RESYNC ? Cause.How.RESYNC : Cause.How.UNKNOWN, key));
    }
}
