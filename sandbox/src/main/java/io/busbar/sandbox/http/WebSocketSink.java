package io.busbar.sandbox.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.internal.http.WebSocketInternal;

/**
 * Events as text messages, for clients that ask for a WebSocket.
 *
 * <p>One context.
 */
final class WebSocketSink implements EventSink {

    /** As registered for WebSockets with IANA. */
    private static final short SERVICE_RESTART = 1012;

    /** Events that come together go out together: one record of TLS, one write. */
    private static final int MOST_AT_ONCE = 256;

    private final ServerWebSocket socket;

    WebSocketSink(ServerWebSocket socket) {
        this.socket = socket;
        if (socket instanceof WebSocketInternal open) {
            ChannelHandlerContext handler = open.channelHandlerContext();
            handler.pipeline().addBefore(handler.name(), "flushes", new FlushConsolidationHandler(MOST_AT_ONCE, true));
        }
    }

    /** A socket that is closing already refuses to tell, and takes no more. */
    @Override
    public boolean isFull() {
        return socket.isClosed() || socket.writeQueueFull();
    }

    @Override
    public void send(Buffer event) {
        if (!socket.isClosed()) {
            socket.writeTextMessage(event.toString());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void end() {
        if (!socket.isClosed()) {
            socket.close();
        }
    }

    @Override
    public void cut() {
        if (!socket.isClosed()) {
            socket.close(SERVICE_RESTART);
        }
    }

    @Override
    public void onChange(Runnable drained, Runnable closed) {
        socket.drainHandler(done -> drained.run());
        socket.closeHandler(done -> closed.run());
        socket.exceptionHandler(broken -> closed.run());
    }
}
