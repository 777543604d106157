package io.busbar.common.bus;

import io.busbar.common.ObjectKey;

/**
 * What has made a reconcile necessary: which object's which change, or what else.
 *
 * <p>Immutable.
 *
 * @param kind of the object, such as {@code Pod}; empty where it was no object's change
 * @param object that has changed; without a meaning where the kind is empty
 * @param resourceVersion of its change; empty where there is none
 */
public record Cause(How how, String kind, ObjectKey object, String resourceVersion) {

    /** The ways. */
    public enum How {
        ADDED,
        MODIFIED,
        DELETED,
        /** It was there when the watch began. */
        LISTED,
        /** The controller's resync interval has passed. */
        RESYNC,
        /** The reconcile before has asked for it. */
        REQUEUE,
        /** The reconcile before has failed, or came too late with a write. */
        RETRY,
        /** Nobody has said. */
        UNKNOWN
    }

    /** One that is no object's change. */
    public static Cause of(How how, ObjectKey primary) {
        return new Cause(how, "", primary, "");
    }

    /** The same object's change, looked at again since the first look failed. */
    public Cause again() {
        return new Cause(How.RETRY, kind, object, resourceVersion);
    }
}
