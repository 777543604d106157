package io.busbar.admission.server;

import io.busbar.admission.certificates.ServingCertificate;
import io.busbar.common.trace.Tracing;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers admission reviews on one event loop: HTTP/1.1, or HTTP/2 where that is allowed, over TLS 1.2 or later.
 * Instances of one Vert.x that listen on one port share its connections.
 *
 * <p>One context, except {@link #actualPort} and {@link #serve}, which any may call after deployment.
 */
final class AdmissionVerticle extends VerticleBase {

    private static final long SWEEP_MILLIS = 250;
    private static final long TRIM_MILLIS = 10_000;
    private static final int MAX_CHUNK_BYTES = 64 * 1024;

    private final AdmissionServerOptions options;
    private final int port;
    private final Supplier<Routes> routes;
    private final Tracing tracing;
    private final Webhook nowhere =
            new Webhook("", body -> new byte[0], new WebhookMetrics(new CompositeMeterRegistry(), ""));
    private final ServingCertificate first;
    private final BodyBudget budget;
    private final OpenConnections connections;
    private @Nullable ArrivingBodies arriving;
    private @Nullable HttpServer server;

    /**
     * @param port as Vert.x takes it: negative for a free one that instances share
     * @param routes asked for each request
     * @param budget of all instances
     * @param open how many connections all instances have
     */
    AdmissionVerticle(
            AdmissionServerOptions options,
            int port,
            Supplier<Routes> routes,
            Tracing tracing,
            ServingCertificate certificate,
            BodyBudget budget,
            AtomicInteger open) {
        this.options = options;
        this.port = port;
        this.routes = routes;
        this.tracing = tracing;
        this.first = certificate;
        this.budget = budget;
        this.connections = new OpenConnections(options.connections(), open);
    }

    @Override
    public Future<?> start() {
        ArrivingBodies bodies = new ArrivingBodies(vertx);
        arriving = bodies;
        HttpServer created = vertx.createHttpServer(ConnectionLimits.bounded(new HttpServerOptions())
                .setSsl(true)
                .setUseAlpn(options.http2())
                .setEnabledSecureTransportProtocols(Set.of("TLSv1.2", "TLSv1.3"))
                .setKeyCertOptions(first.keyCertOptions())
                .setHandle100ContinueAutomatically(true)
                .setMaxChunkSize(MAX_CHUNK_BYTES));
        server = created.connectionHandler(connections::opened).requestHandler(this::receive);
        vertx.setPeriodic(SWEEP_MILLIS, timer -> connections.sweep());
        vertx.setPeriodic(TRIM_MILLIS, timer -> bodies.pieces().trim());
        return created.listen(port, options.host())
                .recover(failure -> Future.failedFuture(new IOException(
                        "cannot listen on " + options.host() + ":" + options.port() + ": " + failure.getMessage(),
                        failure)));
    }

    /** Answers what was asked, then closes; new connections are closed as they open. */
    @Override
    public Future<?> stop() {
        HttpServer listening = Objects.requireNonNull(server);
        Future<Void> quiet = connections.drain();
        return quiet.timeout(options.drainTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .transform(drained -> listening.close());
    }

    int actualPort() {
        return Objects.requireNonNull(server, "not deployed").actualPort();
    }

    /** New connections to any instance on this port get this certificate from now on; open ones stay as they are. */
    Future<Boolean> serve(ServingCertificate certificate) {
        // Forced: Vert.x compares options, and would pass over files whose content alone has changed.
        return Objects.requireNonNull(server, "not deployed")
                .updateSSLOptions(
                        new ServerSSLOptions()
                                .setUseAlpn(options.http2())
                                .setEnabledSecureTransportProtocols(Set.of("TLSv1.2", "TLSv1.3"))
                                .setKeyCertOptions(certificate.keyCertOptions()),
                        true);
    }

    private void receive(HttpServerRequest request) {
        Webhook webhook = routes.get().webhooks().getOrDefault(request.path(), nowhere);
        long announced = announced(request);
        ReviewTrace trace = ReviewTrace.begin(tracing, request, webhook);
        Exchange exchange = new Exchange(
                request, webhook, trace, options.bodies(), Objects.requireNonNull(arriving), budget.share(), announced);
        HttpConnection connection = request.connection();
        if (!connections.begin(connection, exchange)) {
            exchange.cut();
            return;
        }
        request.handler(exchange::append);
        request.exceptionHandler(failure -> {
            exchange.cut();
            connections.finished(connection, exchange, false);
        });
        request.endHandler(end -> {
            exchange.end(connections.draining());
            exchange.written().onComplete(told -> connections.finished(connection, exchange, exchange.well()));
        });
        Answer objection = objection(request, webhook);
        if (objection != null) {
            exchange.refuse(objection);
        } else if (announced > options.bodies().most()) {
            exchange.tooLarge();
        }
    }

    private @Nullable Answer objection(HttpServerRequest request, Webhook webhook) {
        if (webhook.path().isEmpty() && routes.get().waiting().contains(request.path())) {
            return Answer.problem(503, "the webhook at " + request.path() + " has not started yet");
        }
        if (webhook.path().isEmpty()) {
            return Answer.problem(404, "no webhook at " + request.path());
        }
        if (!request.method().equals(HttpMethod.POST)) {
            return Answer.problem(405, "method is " + request.method() + ", expected POST");
        }
        String type = request.getHeader("content-type");
        if (!isJson(type)) {
            return Answer.problem(415, "Content-Type is '" + type + "', expected application/json");
        }
        String encoding = request.getHeader("content-encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            return Answer.problem(415, "Content-Encoding is '" + encoding + "', expected none");
        }
        return null;
    }

    private static boolean isJson(@Nullable String type) {
        if (type == null || type.equals("application/json")) {
            return type != null;
        }
        int parameters = type.indexOf(';');
        String media = parameters < 0 ? type : type.substring(0, parameters);
        return media.strip().toLowerCase(Locale.ROOT).equals("application/json");
    }

    private static long announced(HttpServerRequest request) {
        String length = request.getHeader("content-length");
        try {
            return length == null ? -1 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            // Not answered for being odd: the bytes themselves are counted too.
            return -1;
        }
    }
}
