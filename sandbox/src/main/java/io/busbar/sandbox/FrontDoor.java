package io.busbar.sandbox;

import com.google.common.net.HostAndPort;
import io.busbar.common.internal.http.AnswerBuffers;
import io.busbar.sandbox.http.ApiServer;
import io.busbar.sandbox.tls.TlsIdentity;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import java.net.BindException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The port: opened, closed, and opened again at the same number.
 *
 * <p>One context.
 */
final class FrontDoor {

    private static final int LONGEST_HEAD = 64 * 1024;
    /** Each watch is a stream, and a client has one connection. */
    private static final int MOST_STREAMS = 1_000;
    /** A client that ends a watch resets its stream: nothing to fear from. */
    private static final int MOST_RESETS = 100_000;
    /**
     * The JDK frees the port of a closed server when its event loop next looks for events, which may be after the
     * server has said that it is closed.
     */
    private static final Duration LONGEST_FREEING = Duration.ofSeconds(5);

    private static final long FREEING_MILLIS = 2;

    private final Vertx vertx;
    private final HttpServerOptions http;
    private final String host;
    private final ApiServer handler;
    private int port;
    private boolean wasOpen;
    private @Nullable HttpServer server;

    FrontDoor(Vertx vertx, SandboxOptions options, Foundation foundation, ApiServer handler) {
        this.vertx = vertx;
        this.http = http(foundation.tls(options).orElse(null));
        this.host = foundation.address().listening().getHostAddress();
        this.port = options.port();
        this.handler = handler;
    }

    /** Listens, unless it does already. Fails where the port is not free, and where it is closed meanwhile. */
    Future<Integer> open() {
        return server != null ? Future.succeededFuture(port) : open(System.nanoTime());
    }

    private Future<Integer> open(long since) {
        HttpServer opened = vertx.createHttpServer(http)
                .connectionHandler(AnswerBuffers::enlarge)
                .requestHandler(handler);
        server = opened;
        return opened.listen(port, host).transform((listening, failure) -> {
            if (failure == null) {
                wasOpen = true;
                port = listening.actualPort();
                return Future.succeededFuture(port);
            }
            boolean closed = server != opened;
            boolean over = System.nanoTime() - since > LONGEST_FREEING.toNanos();
            if (closed || over || !wasOpen || !(failure instanceof BindException)) {
                server = closed ? server : null;
                return Future.failedFuture(
                        failure instanceof BindException ? new BindException(refused(failure)) : failure);
            }
            return vertx.timer(FREEING_MILLIS, TimeUnit.MILLISECONDS)
                    .compose(later -> server == opened ? open(since) : Future.failedFuture(failure));
        });
    }

    private String refused(Throwable failure) {
        return "cannot listen on " + HostAndPort.fromParts(host, port) + ": " + failure.getMessage();
    }

    /** Ends all connections at once. */
    Future<Void> close() {
        HttpServer closed = server;
        server = null;
        return closed == null ? Future.succeededFuture() : closed.close();
    }

    private static HttpServerOptions http(@Nullable TlsIdentity tls) {
        HttpServerOptions http = new HttpServerOptions()
                .setMaxInitialLineLength(LONGEST_HEAD)
                .setMaxHeaderSize(LONGEST_HEAD)
                .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(MOST_STREAMS))
                .setHttp2RstFloodMaxRstFramePerWindow(MOST_RESETS);
        if (tls == null) {
            return http;
        }
        return http.setSsl(true).setUseAlpn(true).setKeyCertOptions(KeyCertOptions.wrap(tls.keyManager()));
    }
}
