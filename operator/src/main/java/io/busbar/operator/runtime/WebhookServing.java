package io.busbar.operator.runtime;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.certificates.CertificateListener;
import io.busbar.admission.certificates.CertificateSource;
import io.busbar.admission.certificates.MountedCertificates;
import io.busbar.admission.certificates.OwnCertificates;
import io.busbar.admission.registration.WebhookRegistrar;
import io.busbar.admission.server.AdmissionServer;
import io.busbar.admission.server.AdmissionServerOptions;
import io.busbar.common.ObjectKey;
import io.busbar.manifests.webhook.WebhookConfigurations;
import io.busbar.manifests.webhook.WebhookManifest;
import io.vertx.core.Future;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves an operator's admission rules and, where nobody else does, registers them.
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
     * Serves nothing where there are no rules, or it is not to.
     *
     * @param manifests what of the rules is to be registered
     * @return fails when there is no certificate, or the port is taken
     */
    Future<Void> start(Map<String, AdmissionRule> rules, List<WebhookManifest> manifests) {
        needed = !rules.isEmpty() && !(options.certificates() instanceof WebhookOptions.Certificates.None);
        if (!needed) {
            return Future.succeededFuture();
        }
        WebhookConfigurations configurations =
                new WebhookConfigurations(environment.name() + "-", operator.namespace(), manifests);
        AdmissionServerOptions listening = AdmissionServerOptions.defaults()
                .on(options.address().host(), options.address().port());
        return AdmissionServer.start(environment.vertx(), listening, rules, certificates(), environment.meters())
                .onSuccess(started -> server = started)
                .compose(running -> register(running, configurations));
    }

    /** Why the webhooks can't be asked; empty when they answer. */
    Future<Optional<String>> problem() {
        AdmissionServer running = server;
        if (!needed) {
            return Future.succeededFuture(Optional.empty());
        }
        return running == null
                ? Future.succeededFuture(Optional.of("not started yet"))
                : running.selfCheck().map(Optional.empty());
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

    private Future<Void> register(AdmissionServer running, WebhookConfigurations configurations) {
        return registrar(running, configurations)
                .map(registrar -> running.onCertificate(registrar).recover(failure -> {
                    log.atWarn()
                            .addKeyValue("reason", failure.getMessage())
                            .log("webhooks are not registered yet; it is tried again");
                    return Future.succeededFuture();
                }))
                .orElseGet(Future::succeededFuture);
    }

    private Optional<CertificateListener> registrar(AdmissionServer running, WebhookConfigurations configurations) {
        boolean own = options.certificates() instanceof WebhookOptions.Certificates.SelfSigned;
        if (options.registrationUrl().isPresent()) {
            String url = withPort(options.registrationUrl().get(), running.actualPort());
            return Optional.of(new WebhookRegistrar(environment.client(), configurations.byUrl(url, "")));
        }
        return own
                ? Optional.of(new WebhookRegistrar(
                        environment.client(), configurations.byService(options.service(), operator.namespace())))
                : Optional.empty();
    }

    /** Port 0 in a URL stands for the one that the server has got. */
    private static String withPort(String url, int port) {
        return url.endsWith(":0") ? url.substring(0, url.length() - 1) + port : url;
    }
}
