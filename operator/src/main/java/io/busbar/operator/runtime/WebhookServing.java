package io.busbar.operator.runtime;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.certificates.CertificateListener;
import io.busbar.admission.certificates.CertificateSource;
import io.busbar.admission.certificates.MountedCertificates;
import io.busbar.admission.certificates.OwnCertificates;
import io.busbar.admission.certificates.ServingCertificate;
import io.busbar.admission.conversion.Conversions;
import io.busbar.admission.registration.ConversionRegistrar;
import io.busbar.admission.registration.WebhookRegistrar;
import io.busbar.admission.server.AdmissionServer;
import io.busbar.admission.server.AdmissionServerOptions;
import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.manifests.webhook.WebhookConfigurations;
import io.busbar.manifests.webhook.WebhookManifest;
import io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfigBuilder;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves an operator's admission rules and conversions and, where nobody else does, registers them.
 *
 * <p>Any thread. Registered by URL where there is one, else by Service where the certificate is the operator's own; a mounted
 * certificate comes with configurations that its owner has applied.
 */
final class WebhookServing {

    private static final Logger log = LoggerFactory.getLogger(WebhookServing.class);

    private final OperatorEnvironment environment;
    private final OperatorOptions operator;
    private final WebhookOptions options;
    private volatile boolean needed = true;
    private volatile @Nullable AdmissionServer server;

    WebhookServing(OperatorEnvironment environment, OperatorOptions operator) {
        this.environment = environment;
        this.operator = operator;
        this.options = operator.webhooks();
    }

    /**
     * Serves nothing where there is nothing to answer, or it is not to.
     *
     * @param manifests what of the rules is to be registered
     * @return fails when there is no certificate, or the port is taken
     */
    Future<Void> start(Map<String, AdmissionRule> rules, Conversions conversions, List<WebhookManifest> manifests) {
        needed = !(rules.isEmpty() && conversions.kinds().isEmpty())
                && !(options.certificates() instanceof WebhookOptions.Certificates.None);
        if (!needed) {
            return Future.succeededFuture();
        }
        WebhookConfigurations configurations =
                new WebhookConfigurations(environment.name() + "-", operator.namespace(), manifests);
        AdmissionServerOptions listening = AdmissionServerOptions.defaults()
                .on(options.address().host(), options.address().port())
                .withHttp2(options.http2());
        return AdmissionServer.start(
                        environment.vertx(),
                        listening,
                        rules,
                        conversions,
                        certificates(),
                        environment.meters(),
                        environment.tracing())
                .onSuccess(started -> server = started)
                .compose(running -> Future.join(
                                register(running, registrar(running, configurations)),
                                register(running, converting(running, conversions)),
                                // The first answer takes longest; whether it is good is for probes to say.
                                running.selfCheck().otherwiseEmpty())
                        .mapEmpty());
    }

    /** Why the webhooks can't be asked; empty when they answer. */
    Future<Optional<String>> problem() {
        AdmissionServer running = server;
        if (!needed) {
            return Future.succeededFuture(Optional.empty());
        }
        if (running == null) {
            return Future.succeededFuture(Optional.of("not started yet"));
        }
        ServingCertificate served = running.certificate();
        return Instant.now().isBefore(served.expiry())
                ? running.selfCheck().map(Optional.empty())
                : Future.succeededFuture(Optional.of("the serving certificate of "
                        + served.chain().get(0).getSubjectX500Principal() + " has expired at " + served.expiry()));
    }

    Future<Void> stop() {
        AdmissionServer running = server;
        return running == null ? Future.succeededFuture() : running.close();
    }

    private CertificateSource certificates() {
        if (options.certificates() instanceof WebhookOptions.Certificates.Mounted mounted) {
            return new MountedCertificates(mounted.folder(), mounted.chainFile(), mounted.keyFile());
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

    private Future<Void> register(AdmissionServer running, Optional<CertificateListener> registrar) {
        return registrar
                .map(listener -> running.onCertificate(listener).recover(failure -> {
                    log.atWarn()
                            .addKeyValue("reason", ApiFailure.reason(failure))
                            .log("webhooks are not registered yet; it is tried again");
                    return Future.succeededFuture();
                }))
                .orElseGet(Future::succeededFuture);
    }

    private Optional<CertificateListener> registrar(AdmissionServer running, WebhookConfigurations configurations) {
        return url(running)
                .map(url -> configurations.byUrl(url, ""))
                .or(() -> byService(configurations.byService(options.service(), operator.namespace())))
                .<CertificateListener>map(webhooks -> new WebhookRegistrar(environment.client(), webhooks));
    }

    private Optional<CertificateListener> converting(AdmissionServer running, Conversions conversions) {
        return url(running)
                .map(url -> new WebhookClientConfigBuilder()
                        .withUrl(url + Conversions.PATH)
                        .build())
                .or(() -> byService(new WebhookClientConfigBuilder()
                        .withNewService()
                        .withName(options.service())
                        .withNamespace(operator.namespace())
                        .withPath(Conversions.PATH)
                        .withPort(443)
                        .endService()
                        .build()))
                .<CertificateListener>map(target -> new ConversionRegistrar(environment.client(), conversions, target));
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
