package io.busbar.common.internal.http;

import io.netty.channel.WriteBufferWaterMark;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.Http2ServerConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Keeps answers over HTTP/2 from being held back for ever.
 *
 * <p>Where more than 64 KiB, Netty's own mark, wait to be sent, a connection takes in no more. Vert.x 5.0 is not told
 * of each stream that began just then when the mark is passed again: its answer has a head and no body. With ample room
 * the client's flow control is all that holds answers back, and of that each stream is told. What waits is in memory in
 * any case.
 */
public final class AnswerBuffers {

    private static final WriteBufferWaterMark AMPLE = new WriteBufferWaterMark(32 << 20, 64 << 20);

    private AnswerBuffers() {}

    /**
     * For a connection of HTTP/2; another stays as it is. To be called on its context, when it is opened.
     *
     * @param connection of a server
     */
    public static void enlarge(HttpConnection connection) {
        if (connection instanceof Http2ServerConnection) {
            ((ConnectionBase) connection).channel().config().setWriteBufferWaterMark(AMPLE);
        }
    }
}
