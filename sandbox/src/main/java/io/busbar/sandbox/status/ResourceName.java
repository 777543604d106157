package io.busbar.sandbox.status;

/**
 * What a message calls a resource: its text is {@code plural.group}, or the plural alone in the core group. Immutable.
 */
public interface ResourceName {

    /** Empty for the core group. */
    String group();

    String plural();
}
