package io.busbar.runtime.management;

import io.busbar.admission.server.ConnectionLimits;
import io.busbar.common.bus.Addresses;
import io.busbar.common.guard.Guard;
import io.busbar.common.guard.Thrown;
import io.busbar.runtime.live.Guards;
import io.busbar.runtime.live.LivePage;
import io.busbar.runtime.live.Pauses;
import io.busbar.runtime.options.BindAddress;
import io.busbar.runtime.options.LiveOptions;
import io.busbar.runtime.options.MetricsOptions;
import io.busbar.runtime.process.Program;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.HealthChecks;
import io.vertx.ext.healthchecks.Status;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Serves the operator's health and metrics, and what it says of itself where metrics are, on two ports or, where both
 * are given the same address and metrics are for anyone, on one; within limits that keep who floods one of them, or
 * holds connections open, from more than that.
 *
 * <p>Any thread. /healthz says that each event loop answers, and which do not; /readyz that each check given by
 * {@link #readyWhen} passes.
 */
public final class ManagementServer {

    /** Prometheus' text format, as its scrapers ask for it. */
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final String METRICS = "/metrics";
    private static final String HEALTH = "/healthz";
    private static final String READINESS = "/readyz";

    /** How long an event loop may be busy with one thing. */
    private static final Duration BUSY = Duration.ofSeconds(2);

    /** Within the 5 s of the Deployment's probes, and more than any check takes, so that each can say why it fails. */
    private static final Duration LONGEST_CHECK = Duration.ofSeconds(4);

    private final Vertx vertx;
    private final KubernetesClient client;
    private final PrometheusMeterRegistry metrics;
    private final ZPages about;
    private final HealthChecks liveness;
    private final HealthChecks readiness;
    private final Addresses addresses;
    private final ConnectionLimits limits;
    private final Guard guard;
    private final HttpEvents events = new HttpEvents();
    private final List<HttpServer> servers = new CopyOnWriteArrayList<>();
    private final List<Supplier<Future<Void>>> atTheEnd = new CopyOnWriteArrayList<>();

    /**
     * @param client asks the API server who may read metrics, where they are not for anyone
     * @param addresses name the threads that ask
     * @param program whose server it is
     */
    public ManagementServer(
            Vertx vertx,
            KubernetesClient client,
            PrometheusMeterRegistry metrics,
            Addresses addresses,
            Program program) {
        this(vertx, client, metrics, addresses, program, ConnectionLimits.management());
    }

    /** The same for other limits, of each port. */
    ManagementServer(
            Vertx vertx,
            KubernetesClient client,
            PrometheusMeterRegistry metrics,
            Addresses addresses,
            Program program,
            ConnectionLimits limits) {
        this(vertx, client, metrics, addresses, program, limits, BUSY);
    }

    /**
     * @param patience how long an event loop may be busy with one thing
     */
    ManagementServer(
            Vertx vertx,
            KubernetesClient client,
            PrometheusMeterRegistry metrics,
            Addresses addresses,
            Program program,
            ConnectionLimits limits,
            Duration patience) {
        this.limits = limits;
        this.addresses = addresses;
        this.vertx = vertx;
        this.client = client;
        this.metrics = metrics;
        this.about = new ZPages(program, InstantSource.system());
        this.liveness = HealthChecks.create(vertx);
        this.readiness = HealthChecks.create(vertx);
        this.guard = new Guard("health checks", metrics);
        liveness.register("ping", promise -> promise.complete(Status.OK()));
        check(liveness, "event-loops", new EventLoops(vertx, patience)::problem);
    }

    /**
     * Adds a check of /readyz; before {@link #start}.
     *
     * @param problem asked at each probe, on an event loop: empty when all is well, else why not
     */
    public void readyWhen(String name, Supplier<Future<Optional<String>>> problem) {
        check(readiness, name, problem);
    }

    private void check(HealthChecks checks, String name, Supplier<Future<Optional<String>>> problem) {
        checks.register(
                name,
                LONGEST_CHECK.toMillis(),
                promise -> guard.<Future<Optional<String>>>call(problem::get, Future::failedFuture)
                        .map(found -> found.map(ManagementServer::notReady).orElseGet(Status::OK))
                        .recover(failure -> Future.succeededFuture(notReady(Thrown.messageOrText(failure))))
                        .onComplete(status -> complete(promise, status.result())));
    }

    /**
     * Adds a line to /readyz?verbose that does not decide about readiness; before {@link #start}.
     *
     * @param remark asked at each probe, on an event loop: empty when there is nothing to say
     */
    public void remark(String name, Supplier<Optional<String>> remark) {
        readiness.register(
                name,
                promise -> complete(
                        promise,
                        remark.get()
                                .map(said -> Status.OK(new JsonObject().put(HealthEndpoint.REASON, said)))
                                .orElseGet(Status::OK)));
    }

    private static void complete(Promise<Status> promise, Status status) {
        promise.tryComplete(status);
    }

    private static Status notReady(String reason) {
        return Status.KO(new JsonObject().put(HealthEndpoint.REASON, reason));
    }

    /**
     * To which event sources changes may be posted. They are taken in where metrics are served securely, since callers
     * are known there.
     */
    public HttpEvents events() {
        return events;
    }

    /** Listens; fails when an address is taken, or there is no certificate. */
    public Future<Void> start(MetricsOptions metricsOptions, BindAddress probeAddress) {
        BindAddress metricsAddress = metricsOptions.address();
        boolean together = metricsAddress.equals(probeAddress) && !metricsOptions.secure();
        Router metricsRouter = Router.router(vertx);
        Router probeRouter = together ? metricsRouter : Router.router(vertx);
        Handler<RoutingContext> mayScrape = RoutingContext::next;
        Handler<RoutingContext> mayAsk = RoutingContext::next;
        if (metricsOptions.secure()) {
            AccessReviews reviews = new AccessReviews(vertx, client, addresses, System::nanoTime);
            atTheEnd.add(reviews::close);
            mayScrape = readers(reviews, "a ClusterRole such as metrics-reader");
            mayAsk = readers(reviews, "a ClusterRole such as zpages-reader, or Kubernetes' own system:monitoring,");
            takeEvents(metricsRouter, reviews);
        }
        metricsRouter.get(METRICS).handler(mayScrape).handler(this::scrape);
        about.serve(metricsRouter, mayAsk, together ? List.of(METRICS, HEALTH, READINESS) : List.of(METRICS));
        probeRouter.get(HEALTH).handler(new HealthEndpoint("healthz", liveness));
        probeRouter.get(READINESS).handler(new HealthEndpoint("readyz", readiness));
        Future<Void> listening =
                metricsAddress.enabled() ? serveMetrics(metricsOptions, metricsRouter) : Future.succeededFuture();
        return together || !probeAddress.enabled()
                ? listening
                : listening.compose(
                        done -> listen(at(probeAddress), probeRouter).mapEmpty());
    }

    private static AllowedCallers readers(AccessReviews reviews, String example) {
        return new AllowedCallers(
                reviews, request -> new Wish.OnPath("get", request.request().path()), example);
    }

    private void takeEvents(Router router, AccessReviews reviews) {
        AllowedCallers allowed = new AllowedCallers(
                reviews,
                request -> new Wish.OnPath("post", EventEndpoint.permission(request)),
                "a ClusterRole such as events-poster, with that nonResourceURL and the verb post");
        EventEndpoint endpoint = new EventEndpoint(events, vertx.eventBus());
        for (String route : List.of(EventEndpoint.CLUSTER_SCOPED, EventEndpoint.NAMESPACED)) {
            router.post(route).handler(allowed).handler(endpoint);
        }
    }

    private Future<Void> serveMetrics(MetricsOptions options, Router router) {
        HttpServerOptions plain = at(options.address());
        Future<HttpServer> listening =
                options.secure() ? listenSecurely(plain, options, "metrics", router) : listen(plain, router);
        return listening.mapEmpty();
    }

    private Future<HttpServer> listenSecurely(
            HttpServerOptions plain, MetricsOptions options, String name, Router router) {
        return SecureServer.create(vertx, options, name, metrics).compose(secure -> {
            atTheEnd.add(() -> vertx.undeploy(secure.deployment()));
            return listen(secure.secured(plain), router)
                    .compose(server -> secure.reload(server).map(server));
        });
    }

    /**
     * Serves the live page on a port of its own.
     *
     * @param certificate whose certificate is shown, where the cluster is asked about callers
     * @return the port; fails when the address is taken, or there is no certificate
     */
    public Future<Integer> serve(LivePage page, LiveOptions options, MetricsOptions certificate) {
        Router router = Router.router(vertx);
        HttpServerOptions plain = at(options.address());
        if (options.printer().isPresent()) {
            return servePrinted(page, plain, router, options.printer().get());
        }
        AccessReviews reviews = new AccessReviews(vertx, client, addresses, System::nanoTime);
        atTheEnd.add(reviews::close);
        AllowedCallers mayLook = new AllowedCallers(
                reviews, request -> new Wish.OnPath("get", LivePage.PATH), "a ClusterRole such as live-reader");
        AllowedCallers mayRead =
                new AllowedCallers(reviews, request -> ofTarget("get", request), "the kind's viewer role");
        AllowedCallers mayUpdate =
                new AllowedCallers(reviews, request -> ofTarget("update", request), "the kind's editor role");
        page.serve(router, new Guards(mayLook, mayRead, mayUpdate), new Pauses(vertx, client, true));
        return listenSecurely(plain, certificate, "live", router).map(HttpServer::actualPort);
    }

    private Future<Integer> servePrinted(
            LivePage page, HttpServerOptions plain, Router router, Consumer<String> printer) {
        Promise<Integer> port = Promise.promise();
        PrintedTokens tokens = new PrintedTokens(token -> port.future()
                .compose(known -> vertx.executeBlocking(() -> {
                    printer.accept("http://127.0.0.1:" + known + LivePage.PATH + "#" + token);
                    return null;
                })));
        router.post(LivePage.PATH + "/session").handler(tokens::begin);
        Guards guards = new Guards(tokens, RoutingContext::next, RoutingContext::next);
        page.serve(router, guards, new Pauses(vertx, client, false));
        tokens.print();
        return listen(plain, router).map(HttpServer::actualPort).onComplete(port);
    }

    private static Wish ofTarget(String verb, RoutingContext request) {
        LivePage.Target target = LivePage.target(request);
        return new Wish.OnObject(verb, target.type(), target.key());
    }

    private static HttpServerOptions at(BindAddress address) {
        return new HttpServerOptions().setHost(address.host()).setPort(address.port());
    }

    private Future<HttpServer> listen(HttpServerOptions options, Router router) {
        ManagementPort port = new ManagementPort(options, limits, router);
        return vertx.deployVerticle(port).map(deployed -> {
            atTheEnd.add(() -> vertx.undeploy(deployed));
            servers.add(port.server());
            return port.server();
        });
    }

    private void scrape(RoutingContext request) {
        request.response().putHeader("Content-Type", METRICS_TYPE).end(metrics.scrape());
    }

    /** The ports that are listened on, metrics first. */
    public List<Integer> ports() {
        return servers.stream().map(HttpServer::actualPort).toList();
    }

    public Future<Void> stop() {
        return Future.join(atTheEnd.stream().map(Supplier::get).toList()).mapEmpty();
    }
}
