package io.busbar.runtime.management;

import io.busbar.admission.server.ConnectionLimits;
import io.busbar.admission.server.OpenConnections;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Listens on one port, and keeps within limits what clients can hold there.
 *
 * <p>One context, except {@link #server}, which any may call after deployment. It ends with its undeployment.
 */
final class ManagementPort extends VerticleBase {

    private static final long SWEEP_MILLIS = 250;

    private final HttpServerOptions options;
    private final ConnectionLimits limits;
    private final Handler<HttpServerRequest> handler;
    private @Nullable HttpServer server;

    ManagementPort(HttpServerOptions options, ConnectionLimits limits, Handler<HttpServerRequest> handler) {
        this.options = options;
        this.limits = limits;
        this.handler = handler;
    }

    @Override
    public Future<?> start() {
        OpenConnections connections = new OpenConnections(limits, new OpenConnections.OfServer());
        HttpServer created = vertx.createHttpServer(ConnectionLimits.bounded(options))
                .connectionHandler(connections::opened)
                .requestHandler(connections.serving(handler));
        server = created;
        vertx.setPeriodic(SWEEP_MILLIS, timer -> connections.sweep());
        return created.listen()
                .recover(failure -> Future.failedFuture(new IOException(
                        "cannot listen on " + options.getHost() + ":" + options.getPort() + ": " + failure.getMessage(),
                        failure)));
    }

    HttpServer server() {
        return Objects.requireNonNull(server, "not deployed");
    }
}
