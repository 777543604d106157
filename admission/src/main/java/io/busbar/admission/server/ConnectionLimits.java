package io.busbar.admission.server;

import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.JdkSSLEngineOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How many connections a server keeps open, and for how long it waits for what clients should do.
 *
 * <p>Immutable; methods return a changed copy. Nobody who knows the port has to prove who they are, so that each of
 * these is there for clients that mean harm.
 *
 * @param most connections at once; for one more, another is closed
 * @param firstRequest how long a new connection may take until the head of its first request is there
 * @param idle how long a connection that was of use may be quiet
 * @param unread how long a client may take to read an answer
 */
public record ConnectionLimits(int most, Duration firstRequest, Duration idle, Duration unread) {

    /** Of the first line and of all headers together; longer ones are answered 414 and 431. */
    private static final int MAX_LINE_BYTES = 4 * 1024;

    private static final int MAX_HEADER_BYTES = 16 * 1024;
    private static final int MAX_STREAMS = 100;
    private static final int MAX_RESETS = 200;
    private static final Duration HANDSHAKE = Duration.ofSeconds(5);

    public ConnectionLimits {
        if (most < 1) {
            throw new IllegalArgumentException("most connections: " + most + ", allowed: 1 or more");
        }
        positive("firstRequest", firstRequest);
        positive("idle", idle);
        positive("unread", unread);
    }

    /**
     * For API servers, which keep connections: 1024, 10 s for the first request, 2 min idle, 10 s to read an answer.
     */
    public static ConnectionLimits webhooks() {
        return new ConnectionLimits(1024, Duration.ofSeconds(10), Duration.ofMinutes(2), Duration.ofSeconds(10));
    }

    /**
     * For probes and scrapers, of which there are few: 128, 5 s for the first request, 2 min idle, 10 s to read an
     * answer.
     */
    public static ConnectionLimits management() {
        return new ConnectionLimits(128, Duration.ofSeconds(5), Duration.ofMinutes(2), Duration.ofSeconds(10));
    }

    public ConnectionLimits withMost(int connections) {
        return new ConnectionLimits(connections, firstRequest, idle, unread);
    }

    public ConnectionLimits within(Duration newFirstRequest, Duration newIdle, Duration newUnread) {
        return new ConnectionLimits(most, newFirstRequest, newIdle, newUnread);
    }

    /**
     * Bounds what comes before a connection can be counted, and what is inside of it: handshakes, heads, streams,
     * resets. The arithmetic of a handshake, some milliseconds of it, is done by worker threads: those who connect
     * again and again would hold up the event loops, and with them the reviews of everybody else.
     */
    public static HttpServerOptions bounded(HttpServerOptions options) {
        return options.setSslEngineOptions(new JdkSSLEngineOptions().setUseWorkerThread(true))
                .setSslHandshakeTimeout(HANDSHAKE.toMillis())
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
                .setMaxInitialLineLength(MAX_LINE_BYTES)
                .setMaxHeaderSize(MAX_HEADER_BYTES)
                .setHttp2ClearTextEnabled(false)
                .setInitialSettings(
                        new Http2Settings().setMaxConcurrentStreams(MAX_STREAMS).setMaxHeaderListSize(MAX_HEADER_BYTES))
                .setHttp2RstFloodMaxRstFramePerWindow(MAX_RESETS)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false);
    }

    private static void positive(String name, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(name + ": " + time + ", allowed: more than zero");
        }
    }
}
