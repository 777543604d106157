package io.busbar.operator.management;

import io.busbar.operator.runtime.BindAddress;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.HealthChecks;
import io.vertx.ext.healthchecks.Status;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves the operator's health and metrics, on two ports or, where both are given the same address, on one.
 *
 * <p>Any thread. /healthz says that the event loops answer; /readyz that each check given by {@link #readyWhen} passes.
 */
public final class ManagementServer {

    /** Prometheus' text format, as its scrapers ask for it. */
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final Vertx vertx;
    private final PrometheusMeterRegistry metrics;
    private final HealthChecks liveness;
    private final HealthChecks readiness;
    private final List<HttpServer> servers = new ArrayList<>();

    public ManagementServer(Vertx vertx, PrometheusMeterRegistry metrics) {
        this.vertx = vertx;
        this.metrics = metrics;
        this.liveness = HealthChecks.create(vertx);
        this.readiness = HealthChecks.create(vertx);
        liveness.register("ping", promise -> promise.complete(Status.OK()));
    }

    /**
     * Adds a check of /readyz; before {@link #start}.
     *
     * @param problem asked at each probe, on an event loop: empty when all is well, else why not
     */
    public void readyWhen(String name, Supplier<Future<Optional<String>>> problem) {
        readiness.register(
                name,
                promise -> problem.get()
                        .map(found -> found.map(ManagementServer::notReady).orElseGet(Status::OK))
                        .recover(failure -> Future.succeededFuture(notReady(String.valueOf(failure.getMessage()))))
                        .onComplete(status -> complete(promise, status.result())));
    }

    private static void complete(Promise<Status> promise, Status status) {
        promise.tryComplete(status);
    }

    private static Status notReady(String reason) {
        return Status.KO(new JsonObject().put("reason", reason));
    }

    /** Listens; fails when an address is taken. */
    public Future<Void> start(BindAddress metricsAddress, BindAddress probeAddress) {
        Router metricsRouter = Router.router(vertx);
        Router probeRouter = metricsAddress.equals(probeAddress) ? metricsRouter : Router.router(vertx);
        metricsRouter
                .get("/metrics")
                .handler(request -> request.response()
                        .putHeader("Content-Type", METRICS_TYPE)
                        .end(metrics.scrape()));
        probeRouter.get("/healthz").handler(new HealthEndpoint("healthz", liveness));
        probeRouter.get("/readyz").handler(new HealthEndpoint("readyz", readiness));
        Future<Void> listening = listen(metricsAddress, metricsRouter);
        return metricsRouter == probeRouter ? listening : listening.compose(done -> listen(probeAddress, probeRouter));
    }

    private Future<Void> listen(BindAddress address, Router router) {
        if (!address.enabled()) {
            return Future.succeededFuture();
        }
        return vertx.createHttpServer(
                        new HttpServerOptions().setHost(address.host()).setPort(address.port()))
                .requestHandler(router)
                .listen()
                .onSuccess(servers::add)
                .<Void>mapEmpty()
                .recover(failure -> Future.failedFuture(new IOException(
                        "cannot listen on " + address.host() + ":" + address.port() + ": " + failure.getMessage(),
                        failure)));
    }

    /** The ports that are listened on, metrics first. */
    public List<Integer> ports() {
        return servers.stream().map(HttpServer::actualPort).toList();
    }

    public Future<Void> stop() {
        return Future.join(servers.stream().map(HttpServer::close).toList()).mapEmpty();
    }
}
