package io.busbar.common.bus;

/** Why a key is to be reconciled. The constants stand in order of urgency. */
public enum Reason {
    /** Something that a trigger looks for has changed. */
    CHANGE,
    /** The object was there when the watch began. */
    INITIAL_LIST,
    /** The controller's resync interval has passed. */
    RESYNC
}
