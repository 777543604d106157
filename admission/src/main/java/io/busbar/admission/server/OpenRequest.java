package io.busbar.admission.server;

/** A request that is being received or answered. One context: that of its connection. */
interface OpenRequest {

    /** Called now and then, with the time of {@link System#nanoTime}, to end what takes too long. */
    void expire(long now);

    /** The connection is gone. */
    void cut();

    /** Whether other requests are on the same connection, at the same time. */
    boolean multiplexed();
}
