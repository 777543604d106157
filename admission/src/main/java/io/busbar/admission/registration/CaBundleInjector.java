package io.busbar.admission.registration;

import io.busbar.admission.certificates.CertificateListener;
import io.busbar.admission.certificates.ServingCertificate;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the caBundle right in webhook configurations and CRDs that others have written, such as {@code kubectl apply -k}.
 *
 * <p>Any worker: blocks on the API server. To be told of certificates again and again, so that what is undone is done again; patches
 * only what differs. An object that is not there is passed over until it is. Needs get and patch on what is named.
 *
 * @param mutating names of MutatingWebhookConfigurations
 * @param validating names of ValidatingWebhookConfigurations
 * @param definitions names of CustomResourceDefinitions, for those that have a conversion webhook
 */
public record CaBundleInjector(
        KubernetesClient client, Set<String> mutating, Set<String> validating, Set<String> definitions)
        implements CertificateListener {

    private static final Logger log = LoggerFactory.getLogger(CaBundleInjector.class);

    public CaBundleInjector {
        mutating = Set.copyOf(mutating);
        validating = Set.copyOf(validating);
        definitions = Set.copyOf(definitions);
    }

    /**
     * Patches what differs; all that can be patched is, before a failure is thrown.
     *
     * @throws KubernetesClientException the first of those that occurred
     */
    @Override
    public void certificateRead(ServingCertificate certificate) {
        if (!certificate.caBundle().isEmpty()) {
            inject(certificate.caBundle());
        }
    }

    private void inject(String caBundle) {
        String bundle = Base64.getEncoder().encodeToString(caBundle.getBytes(StandardCharsets.UTF_8));
        List<KubernetesClientException> failures = new ArrayList<>();
        for (String name : mutating) {
            attempt(failures, () -> patch(MutatingWebhookConfiguration.class, name, bundle));
        }
        for (String name : validating) {
            attempt(failures, () -> patch(ValidatingWebhookConfiguration.class, name, bundle));
        }
        for (String name : definitions) {
            attempt(failures, () -> patch(CustomResourceDefinition.class, name, bundle));
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    private static void attempt(List<KubernetesClientException> failures, Runnable patch) {
        try {
            patch.run();
        } catch (KubernetesClientException e) {
            failures.add(e);
        }
    }

    private <T extends HasMetadata> void patch(Class<T> type, String name, String bundle) {
        T stored = client.resources(type).withName(name).get();
        if (stored == null) {
            log.atDebug()
                    .addKeyValue("kind", type.getSimpleName())
                    .addKeyValue("name", name)
                    .log("No caBundle to keep yet");
            return;
        }
        Optional<String> patch = CaBundlePatch.of(stored, bundle);
        if (patch.isEmpty()) {
            return;
        }
        client.resources(type).withName(name).patch(PatchContext.of(PatchType.JSON), patch.get());
        log.atInfo()
                .addKeyValue("kind", type.getSimpleName())
                .addKeyValue("name", name)
                .log("Injected the caBundle");
    }
}
