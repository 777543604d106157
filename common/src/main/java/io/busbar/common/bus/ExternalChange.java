package io.busbar.common.bus;

import io.busbar.common.ObjectKey;

/**
 * Says that something outside the cluster has changed that concerns a primary. Whoever learns of it publishes this to
 * an address of its own choice; the controllers that have declared that address as an event source look at the primary.
 *
 * <p>Immutable.
 *
 * @param key of the primary, whether or not there is one
 * @param traceparent of what has made it necessary, as {@link io.busbar.common.trace} passes it on; empty where that is
 *     not traced
 */
public record ExternalChange(ObjectKey key, String traceparent) {

    /** One that is not traced. */
    public ExternalChange(ObjectKey key) {
        this(key, "");
    }
}
