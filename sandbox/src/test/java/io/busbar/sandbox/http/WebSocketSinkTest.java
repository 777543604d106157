package io.busbar.sandbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class WebSocketSinkTest {

    @Test
    void takes_no_more_once_its_socket_has_begun_to_close() {
        WebSocketSink sink = new WebSocketSink(closing());
        assertThat(sink.isFull()).isTrue();
        sink.send(Buffer.buffer("late"));
        sink.end();
    }

    /** Says that it is closed, and throws at anything else that it is asked, as Vert.x's does. */
    private static ServerWebSocket closing() {
        return (ServerWebSocket) Proxy.newProxyInstance(
                WebSocketSinkTest.class.getClassLoader(),
                new Class<?>[] {ServerWebSocket.class},
                (socket, method, arguments) -> {
                    if (method.getName().equals("isClosed")) {
                        return true;
                    }
                    throw new IllegalStateException("WebSocket is closed");
                });
    }
}
