package io.busbar.runtime.assembly;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.certificates.CertificateListener;
import io.busbar.admission.certificates.CertificateSource;
import io.busbar.admission.certificates.ClientCaFile;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.certificates.MountedCertificates;
import io.busbar.admission.certificates.OwnCertificates;
import io.busbar.admission.certificates.ServingCertificate;
import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.conversion.Versions;
import io.busbar.admission.registration.ConversionRegistrar;
import io.busbar.admission.registration.WebhookRegistrar;
import io.busbar.admission.server.AdmissionServer;
import io.busbar.admission.server.AdmissionServerOptions;
import io.busbar.admission.server.ReviewLog;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.api.ApiFailure;
import io.busbar.manifests.webhook.WebhookConfigurations;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.runtime.bundle.DeclaredBundle;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.options.WebhookOptions;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves an operator's admission rules and conversions and, where nobody else does, registers them: of each bundle as
 * soon as it has started, whatever the others do.
 *
 * <p>Any thread. Registered by URL where there is one, else by Service where the certificate is the operator's own; a
 * mounted certificate comes with configurations that its owner has applied. While a replica has taken over, the others
 * register nothing.
 *
 * <p>Conversions need no cache, but caches need them: they are served and registered as soon as there is a certificate.
 * Until a bundle has started, its other webhooks are answered with 503, and stay registered as an earlier run has left
 * them. Those of a bundle whose kinds are not installed allow all as it is: without objects of these kinds there is
 * nothing to change or to check.
 */
final class WebhookServing {

    private static final Logger log = LoggerFactory.getLogger(WebhookServing.class);

    private final OperatorEnvironment environment;
    private final VertxScope scope;
    private final OperatorOptions operator;
    private final WebhookOptions options;
    private final ReviewLog reviews;
    /** The rules of bundles that have started. */
    private final Map<DeclaredBundle, Map<String, AdmissionRule>> served = new ConcurrentHashMap<>();

    private final Set<DeclaredBundle> missing = ConcurrentHashMap.newKeySet();
    /** Held, for moments, while what is served is worked out and replaced, so that nothing older comes last. */
    private final ReentrantLock changing = new ReentrantLock();
    /** Told by the server, of one thing after the other: the latest that is registered is the latest that there is. */
    private final CertificateListener registration;
    /** All that registers anything. */
    private final List<CertificateListener> registrations = new CopyOnWriteArrayList<>();
    /** Whether this replica may register; blocks. */
    private final BooleanSupplier mayRegister;

    private volatile List<DeclaredBundle> bundles = List.of();
    private volatile boolean needed = true;
    private volatile @Nullable AdmissionServer server;
    private volatile boolean stopped;
    private @Nullable Future<AdmissionServer> starting;

    /**
     * @param scope in which its port is taken
     * @param reviews where what is decided is written down
     * @param mayRegister whether this replica may register what it serves; asked each time, and may block
     */
    WebhookServing(
            OperatorEnvironment environment,
            VertxScope scope,
            OperatorOptions operator,
            ReviewLog reviews,
            BooleanSupplier mayRegister) {
        this.reviews = reviews;
        this.mayRegister = mayRegister;
        this.registration = allowed(this::register);
        registrations.add(registration);
        this.environment = environment;
        this.scope = scope;
        this.operator = operator;
        this.options = operator.webhooks();
    }

    /**
     * Listens where one of the bundles that are to run declares webhooks.
     *
     * @param all in the order in which the API server is to ask them
     * @param installed those of them that are about to start
     * @return fails when there is no certificate, or the port is taken
     */
    Future<Void> start(List<DeclaredBundle> all, List<DeclaredBundle> installed) {
        bundles = List.copyOf(all);
        missing.addAll(all);
        installed.forEach(missing::remove);
        boolean named = !operator.operators().isEmpty();
        needed = (named ? all : installed)
                        .stream()
                                .anyMatch(bundle -> !bundle.registrations().isEmpty()
                                        || !bundle.conversions().isEmpty())
                && enabled();
        return needed ? running().mapEmpty() : Future.succeededFuture();
    }

    /**
     * The kinds of a bundle have been installed: it is about to start, and what it converts can be listed from now on.
     *
     * @return fails as {@link #start}; may be called again then
     */
    Future<Void> installed(DeclaredBundle bundle) {
        missing.remove(bundle);
        route();
        if (bundle.conversions().isEmpty() || !enabled()) {
            return Future.succeededFuture();
        }
        needed = true;
        return running().compose(running -> leads());
    }

    /**
     * A bundle has started: its webhooks are answered and registered from now on.
     *
     * @return fails as {@link #start}, which may come first here; may be called again then
     */
    Future<Void> serve(DeclaredBundle bundle, Map<String, AdmissionRule> rules) {
        served.put(bundle, rules);
        if ((rules.isEmpty() && bundle.conversions().isEmpty()) || !enabled()) {
            return Future.succeededFuture();
        }
        needed = true;
        return running().compose(running -> {
            route();
            return Future.join(
                            registered("webhooks", running.onCertificate(registration)),
                            // The first answer takes longest; whether it is good is for probes to say.
                            running.selfCheck().otherwiseEmpty())
                    .mapEmpty();
        });
    }

    /** This replica leads now: registers what another, who has led, may have registered for itself. */
    Future<Void> leads() {
        AdmissionServer running = server;
        if (running == null) {
            return Future.succeededFuture();
        }
        ServingCertificate certificate = running.certificate();
        return Future.join(registrations.stream()
                        .map(listener -> registered("webhooks", told(listener, certificate)))
                        .toList())
                .mapEmpty();
    }

    private Future<Void> told(CertificateListener listener, ServingCertificate certificate) {
        return environment
                .vertx()
                .executeBlocking(
                        () -> {
                            listener.certificateRead(certificate);
                            return null;
                        },
                        false);
    }

    private CertificateListener allowed(CertificateListener registration) {
        return certificate -> {
            if (mayRegister.getAsBoolean()) {
                registration.certificateRead(certificate);
            } else {
                log.atDebug().log("not registered: another has taken over");
            }
        };
    }

    private boolean enabled() {
        return !(options.certificates() instanceof WebhookOptions.Certificates.None);
    }

    /** Starts the server, once. */
    private Future<AdmissionServer> running() {
        changing.lock();
        try {
            Future<AdmissionServer> before = starting;
            if (before != null && !before.failed()) {
                return before;
            }
            scope.take(options.address());
            Future<AdmissionServer> started = AdmissionServer.start(
                            environment.vertx(),
                            AdmissionServerOptions.defaults()
                                    .on(
                                            options.address().host(),
                                            options.address().port())
                                    .withHttp2(options.http2()),
                            Map.of(),
                            Conversions.none(),
                            options.clientCa()
                                    .<CertificateSource>map(file -> new ClientCaFile(certificates(), file))
                                    .orElseGet(this::certificates),
                            environment.meters(),
                            environment.tracing(),
                            reviews)
                    .compose(running -> {
                        server = running;
                        route();
                        Future<Void> conversions = converting(running)
                                .map(this::allowed)
                                .map(listener -> {
                                    registrations.add(listener);
                                    return registered("conversions", running.onCertificate(listener));
                                })
                                .orElseGet(Future::succeededFuture);
                        return Future.join(registered("webhooks", running.onCertificate(registration)), conversions)
                                .map(running);
                    });
            starting = started;
            return started;
        } catch (IOException taken) {
            return Future.failedFuture(taken);
        } finally {
            changing.unlock();
        }
    }

    /** Has the server answer what can be answered now. */
    private void route() {
        AdmissionServer running = server;
        if (running == null) {
            return;
        }
        changing.lock();
        try {
            Map<String, AdmissionRule> rules = new HashMap<>();
            Set<String> waiting = new HashSet<>();
            for (DeclaredBundle bundle : bundles) {
                Map<String, AdmissionRule> answers = served.get(bundle);
                if (answers != null) {
                    rules.putAll(answers);
                } else {
                    bundle.paths()
                            .forEach(
                                    missing.contains(bundle)
                                            ? path -> rules.put(path, request -> AdmissionDecision.allowed())
                                            : waiting::add);
                }
            }
            running.serve(rules, conversions(), waiting);
        } finally {
            changing.unlock();
        }
    }

    /** Blocks. Does nothing where somebody else registers. */
    private void register(ServingCertificate certificate) {
        AdmissionServer running = server;
        if (running == null) {
            return;
        }
        List<WebhookManifest> manifests = bundles.stream()
                .filter(bundle -> !missing.contains(bundle))
                .flatMap(bundle -> bundle.registrations().stream())
                .toList();
        Set<String> notYet = bundles.stream()
                .filter(bundle -> !served.containsKey(bundle))
                .flatMap(bundle -> bundle.registrations().stream())
                .map(WebhookManifest::name)
                .collect(Collectors.toSet());
        WebhookConfigurations configurations =
                new WebhookConfigurations(environment.name() + "-", operator.namespace(), manifests);
        url(running)
                .map(url -> configurations.byUrl(url, ""))
                .or(() -> byService(configurations.byService(options.service(), operator.namespace())))
                .ifPresent(webhooks ->
                        new WebhookRegistrar(environment.client(), webhooks, notYet).certificateRead(certificate));
    }

    /** When the certificate that is served expires; empty while none is. */
    Optional<Instant> certificateExpiry() {
        return Optional.ofNullable(server).map(running -> running.certificate().expiry());
    }

    /** Why the webhooks can't be asked; empty when they answer. */
    Future<Optional<String>> problem() {
        AdmissionServer running = server;
        if (!needed) {
            return Future.succeededFuture(Optional.empty());
        }
        if (running == null || stopped) {
            return Future.succeededFuture(Optional.of(stopped ? "stopped" : "not started yet"));
        }
        ServingCertificate served = running.certificate();
        return Instant.now().isBefore(served.expiry())
                ? running.selfCheck().map(Optional.empty())
                : Future.succeededFuture(Optional.of("the serving certificate of "
                        + served.chain().get(0).getSubjectX500Principal() + " has expired at " + served.expiry()));
    }

    /**
     * From now on clients are told to come back to another replica.
     *
     * @return whether there may be any
     */
    boolean announceEnd() {
        AdmissionServer running = server;
        if (running != null) {
            running.announceEnd();
        }
        return running != null;
    }

    Future<Void> stop() {
        AdmissionServer running = server;
        stopped = true;
        return running == null ? Future.succeededFuture() : running.close();
    }

    private CertificateSource certificates() {
        if (options.certificates() instanceof WebhookOptions.Certificates.Mounted mounted) {
            return new MountedCertificates(mounted.folder(), mounted.chainFile(), mounted.keyFile());
        }
        if (options.certificates() instanceof WebhookOptions.Certificates.InMemory) {
            return new EphemeralCertificates(servedNames());
        }
        String secret = ((WebhookOptions.Certificates.SelfSigned) options.certificates()).secret();
        return new OwnCertificates(
                environment.client(), ObjectKey.of(operator.namespace(), secret), List.copyOf(servedNames()));
    }

    private List<String> servedNames() {
        return options.registrationUrl()
                .map(url -> List.of(URI.create(url).getHost()))
                .orElseGet(() -> OwnCertificates.serviceNames(ObjectKey.of(operator.namespace(), options.service())));
    }

    private static Future<Void> registered(String what, Future<Void> attempt) {
        return attempt.recover(failure -> {
            log.atWarn()
                    .addKeyValue("what", what)
                    .addKeyValue("reason", ApiFailure.reason(failure))
                    .log("not registered yet; it is tried again");
            return Future.succeededFuture();
        });
    }

    private Conversions conversions() {
        return Conversions.of(bundles.stream()
                .<Versions<?>>flatMap(bundle -> bundle.conversions().stream())
                .toList());
    }

    /** Whether the API server may ask this replica to convert objects of a kind, if it reaches it. */
    boolean converts(ResourceType kind) {
        return server != null
                && conversions().kinds().stream()
                        .anyMatch(versions -> versions.resource().equals(kind));
    }

    private Optional<CertificateListener> converting(AdmissionServer running) {
        return url(running)
                .map(ConversionRegistrar::byUrl)
                .or(() ->
                        byService(ConversionRegistrar.byService(ObjectKey.of(operator.namespace(), options.service()))))
                .<CertificateListener>map(
                        target -> new ConversionRegistrar(environment.client(), conversions(), target));
    }

    /** Where the operator is to register by Service, which it can do if the certificate is its own. */
    private <T> Optional<T> byService(T registration) {
        return options.certificates() instanceof WebhookOptions.Certificates.SelfSigned
                ? Optional.of(registration)
                : Optional.empty();
    }

    private Optional<String> url(AdmissionServer running) {
        return options.registrationUrl().map(url -> withPort(url, running.actualPort()));
    }

    /** Port 0 in a URL stands for the one that the server has got. */
    private static String withPort(String url, int port) {
        return url.endsWith(":0") ? url.substring(0, url.length() - 1) + port : url;
    }
}
