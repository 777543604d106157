package io.busbar.sandbox.http;

import io.vertx.core.buffer.Buffer;

/**
 * Where the events of a watch go.
 *
 * <p>One context.
 */
interface EventSink {

    /** Whether the client has yet to take what was written. */
    boolean isFull();

    /** Sends one event, in JSON, now or with the next {@link #flush}. */
    void send(Buffer event);

    void flush();

    /** Sends what is left and ends the stream. */
    void end();

    /** Breaks the stream off. */
    void cut();

    /**
     * @param drained called when a full sink takes more
     * @param closed called once, when either side has ended the stream
     */
    void onChange(Runnable drained, Runnable closed);
}
