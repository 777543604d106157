package io.busbar.sandbox.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;

/**
 * Events as text messages, for clients that ask for a WebSocket.
 *
 * <p>One context.
 */
final class WebSocketSink implements EventSink {

    /** As registered for WebSockets with IANA. */
    private static final short SERVICE_RESTART = 1012;

    private final ServerWebSocket socket;

    WebSocketSink(ServerWebSocket socket) {
        this.socket = socket;
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
