package io.busbar.admission.server;

import io.busbar.admission.certificates.ServingCertificate;
import io.busbar.admission.conversion.Conversions;
import io.busbar.common.trace.Tracing;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
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

    /**
     * What clients without a certificate may ask too: the check of this server by itself, and conversions, with which
     * an API server shows no certificate. Both tell a client nothing but what it has sent.
     */
    private static final Set<String> OPEN_TO_ALL = Set.of(SelfCheck.PATH, Conversions.PATH);

    private final AdmissionServerOptions options;
    private final int port;
    private final Supplier<Routes> routes;
    private final Tracing tracing;
    private final Webhook nowhere =
            new Webhook("", body -> new byte[0], new WebhookMetrics(new CompositeMeterRegistry(), ""));
    private final ServingCertificate first;
    private final SSLEngineOptions engine;
    /** Asked of all, not demanded: who has none is told so. */
    private final boolean verifiesClients;

    private final BodyBudget budget;
    private final OpenConnections connections;
    private @Nullable ArrivingBodies arriving;
    private @Nullable WorkerExecutor workers;
    private @Nullable HttpServer server;

    /**
     * @param port as Vert.x takes it: negative for a free one that instances share
     * @param routes asked for each request
     * @param budget of all instances
     * @param open the connections of all instances
     */
    AdmissionVerticle(
            AdmissionServerOptions options,
            int port,
            Supplier<Routes> routes,
            Tracing tracing,
            ServingCertificate certificate,
            SSLEngineOptions engine,
            BodyBudget budget,
            OpenConnections.OfServer open) {
        this.options = options;
        this.port = port;
        this.routes = routes;
        this.tracing = tracing;
        this.first = certificate;
        this.engine = engine;
        this.verifiesClients = !certificate.clientAuthorities().isEmpty();
        this.budget = budget;
        this.connections = new OpenConnections(options.connections(), open);
    }

    @Override
    public Future<?> start() {
        ArrivingBodies bodies = new ArrivingBodies(vertx);
        arriving = bodies;
        // Of their own: what occupies the others may be waiting for an answer from here.
        workers = vertx.createSharedWorkerExecutor(
                "webhooks-" + port, Runtime.getRuntime().availableProcessors());
        HttpServerOptions secured = ConnectionLimits.bounded(new HttpServerOptions())
                .setSsl(true)
                .setSslEngineOptions(engine)
                .setUseAlpn(options.http2())
                .setEnabledSecureTransportProtocols(Set.of("TLSv1.2", "TLSv1.3"))
                .setKeyCertOptions(first.keyCertOptions())
                .setHandle100ContinueAutomatically(true)
                .setMaxChunkSize(MAX_CHUNK_BYTES);
        if (verifiesClients) {
            secured.setClientAuth(ClientAuth.REQUEST).setTrustOptions(first.trustOptions());
        }
        HttpServer created = vertx.createHttpServer(secured);
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
        ServerSSLOptions secured = new ServerSSLOptions();
        secured.setUseAlpn(options.http2())
                .setEnabledSecureTransportProtocols(Set.of("TLSv1.2", "TLSv1.3"))
                .setKeyCertOptions(certificate.keyCertOptions());
        if (verifiesClients) {
            secured.setClientAuth(ClientAuth.REQUEST).setTrustOptions(certificate.trustOptions());
        }
        // Forced: Vert.x compares options, and would pass over files whose content alone has changed.
        return Objects.requireNonNull(server, "not deployed").updateSSLOptions(secured, true);
    }

    private void receive(HttpServerRequest request) {
        Webhook webhook = routes.get().webhooks().getOrDefault(request.path(), nowhere);
        long announced = announced(request);
        ReviewTrace trace = ReviewTrace.begin(tracing, request, webhook);
        Exchange exchange = new Exchange(
                request,
                webhook,
                trace,
                options.bodies(),
                Objects.requireNonNull(arriving),
                budget.share(),
                Objects.requireNonNull(workers),
                announced);
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
        if (verifiesClients && !OPEN_TO_ALL.contains(request.path()) && !isVerified(request)) {
            return Answer.problem(401, "only clients with a certificate of the CA for clients are answered");
        }
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

    /** Whether the client has shown a certificate: a handshake with one that is not good fails. */
    private static boolean isVerified(HttpServerRequest request) {
        try {
            return !request.connection().peerCertificates().isEmpty();
        } catch (SSLPeerUnverifiedException none) {
            return false;
        }
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
