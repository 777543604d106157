package io.busbar.admission.server;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.certificates.CertificateListener;
import io.busbar.admission.certificates.CertificateReload;
import io.busbar.admission.certificates.CertificateSource;
import io.busbar.admission.certificates.CertificateWatch;
import io.busbar.admission.certificates.ServingCertificate;
import io.busbar.admission.conversion.Conversions;
import io.busbar.common.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.net.SSLEngineOptions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running webhook server.
 *
 * <p>Any context; futures complete on the caller's. Leadership does not matter to it: each replica answers.
 */
public final class AdmissionServer {

    private static final Logger log = LoggerFactory.getLogger(AdmissionServer.class);

    private final Vertx vertx;
    private final CertificateWatch certificates;
    private final String certificatesId;
    private final AdmissionVerticle verticle;
    private final String verticlesId;
    private final SelfCheck selfCheck;
    private final OpenConnections.OfServer connections;
    private final Paths paths;

    private AdmissionServer(
            Vertx vertx,
            CertificateWatch certificates,
            String certificatesId,
            AdmissionVerticle verticle,
            String verticlesId,
            SelfCheck selfCheck,
            OpenConnections.OfServer connections,
            Paths paths) {
        this.vertx = vertx;
        this.certificates = certificates;
        this.certificatesId = certificatesId;
        this.verticle = verticle;
        this.verticlesId = verticlesId;
        this.selfCheck = selfCheck;
        this.connections = connections;
        this.paths = paths;
    }

    /**
     * Reads the certificate, then listens.
     *
     * @param rules by path, such as {@code /mutate-pod}; each is called on all event loops at once, so it must be
     *     thread-safe
     * @return fails when there is no certificate
     *     ({@link io.busbar.admission.certificates.CertificateUnavailableException}) or the port is taken; nothing is
     *     left running then
     * @throws IllegalArgumentException when a path does not begin with a slash, or is {@code /self-check}
     */
    public static Future<AdmissionServer> start(
            Vertx vertx,
            AdmissionServerOptions options,
            Map<String, AdmissionRule> rules,
            CertificateSource source,
            MeterRegistry registry) {
        return start(vertx, options, rules, Conversions.none(), source, registry, Tracing.off(), ReviewLog.off());
    }

    /**
     * The same for a server that converts objects too, at {@link Conversions#PATH}, whose requests may be traced, and
     * whose decisions are written down.
     *
     * @param log of reviews, not of conversions
     * @throws IllegalArgumentException also when there is a rule at that path
     */
    public static Future<AdmissionServer> start(
            Vertx vertx,
            AdmissionServerOptions options,
            Map<String, AdmissionRule> rules,
            Conversions conversions,
            CertificateSource source,
            MeterRegistry registry,
            Tracing tracing,
            ReviewLog log) {
        Paths paths = new Paths(registry, log);
        paths.serve(rules, conversions, Set.of());
        CertificateWatch certificates = new CertificateWatch(source, "webhook", registry);
        return vertx.deployVerticle(certificates, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER))
                .compose(id -> vertx.executeBlocking(TlsEngine::fastest)
                        .compose(engine -> listen(vertx, options, paths, tracing, certificates, id, engine))
                        .recover(failure -> vertx.undeploy(id).transform(undeployed -> Future.failedFuture(failure))));
    }

    private static Future<AdmissionServer> listen(
            Vertx vertx,
            AdmissionServerOptions options,
            Paths paths,
            Tracing tracing,
            CertificateWatch certificates,
            String certificatesId,
            SSLEngineOptions engine) {
        ServingCertificate first = certificates.current();
        List<AdmissionVerticle> verticles = new CopyOnWriteArrayList<>();
        // To Vert.x, instances with the same negative port share a free one; another server must not.
        int port = options.port() == 0 ? -1 - ThreadLocalRandom.current().nextInt(1 << 30) : options.port();
        BodyBudget budget = new BodyBudget(options.bodies().together());
        OpenConnections.OfServer open = new OpenConnections.OfServer();
        return vertx.deployVerticle(
                        () -> {
                            AdmissionVerticle verticle = new AdmissionVerticle(
                                    options, port, paths::routes, tracing, first, engine, budget, open);
                            verticles.add(verticle);
                            return verticle;
                        },
                        new DeploymentOptions().setInstances(options.instances()))
                .compose(id -> {
                    AdmissionVerticle one = verticles.get(0);
                    SelfCheck check = new SelfCheck(vertx, options.host(), one.actualPort());
                    AdmissionServer server =
                            new AdmissionServer(vertx, certificates, certificatesId, one, id, check, open, paths);
                    log.atInfo()
                            .addKeyValue("host", options.host())
                            .addKeyValue("port", one.actualPort())
                            .log("Serving webhooks");
                    // One instance speaks for all: they share the listening socket and what is shown on it.
                    return certificates
                            .listen(new CertificateReload(one::serve, first))
                            .map(server);
                });
    }

    /**
     * Answers by these rules and conversions from now on, in place of those before; a request that is under way keeps
     * its own.
     *
     * @param waiting other paths, where a rule is still to come: they are answered with 503, not with 404
     * @throws IllegalArgumentException as {@link #start}; what was served stays then
     */
    public void serve(Map<String, AdmissionRule> rules, Conversions conversions, Set<String> waiting) {
        paths.serve(rules, conversions, waiting);
    }

    public int actualPort() {
        return verticle.actualPort();
    }

    /** How many connections are open. */
    int openConnections() {
        return connections.open();
    }

    /** The certificate that was read last; new connections get it. */
    public ServingCertificate certificate() {
        return certificates.current();
    }

    /**
     * Tells a listener of the certificate now, and after each read from now on; it may block. One that listens already
     * is told now alone. All are told one after the other.
     *
     * @return completes when it was told first, and fails as it failed; it will be told again all the same
     */
    public Future<Void> onCertificate(CertificateListener listener) {
        return certificates.listen(listener);
    }

    /** Fails with the reason when the server does not answer a review to itself, over TLS, within two seconds. */
    public Future<Void> selfCheck() {
        return selfCheck.run();
    }

    /** From now on each answer is the last of its connection, but for HTTP/2. New connections are served as before. */
    public void announceEnd() {
        connections.drain();
    }

    /** Lets requests in flight end, within the drain timeout, then stops listening and reading certificates. */
    public Future<Void> close() {
        // At once for all event loops: each gets to its own part of the work when it can.
        announceEnd();
        return vertx.undeploy(verticlesId)
                .eventually(() -> vertx.undeploy(certificatesId))
                .eventually(selfCheck::close);
    }
}
