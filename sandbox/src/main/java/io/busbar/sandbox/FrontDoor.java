package io.busbar.sandbox;

import io.busbar.sandbox.http.ApiServer;
import io.busbar.sandbox.tls.TlsIdentity;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
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

    private final Vertx vertx;
    private final HttpServerOptions http;
    private final String host;
    private final ApiServer handler;
    private int port;
    private @Nullable HttpServer server;

    FrontDoor(Vertx vertx, SandboxOptions options, @Nullable TlsIdentity tls, ApiServer handler) {
        this.vertx = vertx;
        this.http = http(tls);
        this.host = options.host();
        this.port = options.port();
        this.handler = handler;
    }

    /** Listens, unless it does already. */
    Future<Integer> open() {
        if (server != null) {
            return Future.succeededFuture(port);
        }
        HttpServer opened = vertx.createHttpServer(http).requestHandler(handler);
        server = opened;
        return opened.listen(port, host)
                .onFailure(failure -> server = null)
                .map(listening -> port = listening.actualPort());
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
