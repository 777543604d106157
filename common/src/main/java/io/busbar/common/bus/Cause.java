package io.busbar.common.bus;

import io.busbar.common.ObjectKey;

/**
 * What has made a reconcile necessary: which object's which change, which event source, or what else.
 *
 * <p>Immutable.
 *
 * @param kind of the object, such as {@code Pod}; empty where it was no object's change
 * @param object that has changed; without a meaning where the kind is empty
 * @param resourceVersion of its change; empty where there is none
 * @param source the name of the event source; empty where it was none
 */
public record Cause(How how, String kind, ObjectKey object, String resourceVersion, String source) {

    /** One that comes of no event source. */
    public Cause(How how, String kind, ObjectKey object, String resourceVersion) {
        this(how, kind, object, resourceVersion, "");
    }

    /** The ways. */
    public enum How {
        ADDED,
        MODIFIED,
        DELETED,
        /** It was there when the watch began. */
        LISTED,
        /** The controller's resync interval has passed. */
        RESYNC,
        /** An event source that the controller has declared, such as a timer or a message from outside. */
        SOURCE,
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

    /** What an event source has found. */
    public static Cause from(String source, ObjectKey primary) {
        return new Cause(How.SOURCE, "", primary, "", source);
    }

    /** The same object's change, or the same source, looked at again since the first look failed. */
    public Cause again() {
        return new Cause(How.RETRY, kind, object, resourceVersion, source);
    }
}
