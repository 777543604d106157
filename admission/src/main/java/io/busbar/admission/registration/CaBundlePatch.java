package io.busbar.admission.registration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The JSON Patch that sets the caBundle wherever it differs. It applies to the version that was read alone: places are indices.
 *
 * <p>Pure; any thread.
 */
final class CaBundlePatch {

    private CaBundlePatch() {}

    /**
     * @param bundle in base64
     * @return empty when nothing differs
     */
    static Optional<String> of(HasMetadata stored, String bundle) {
        ArrayNode operations = JsonNodeFactory.instance.arrayNode();
        operations
                .addObject()
                .put("op", "test")
                .put("path", "/metadata/resourceVersion")
                .put("value", stored.getMetadata().getResourceVersion());
        if (stored instanceof MutatingWebhookConfiguration mutating) {
            set(
                    operations,
                    mutating.getWebhooks().stream()
                            .map(MutatingWebhook::getClientConfig)
                            .toList(),
                    bundle);
        } else if (stored instanceof ValidatingWebhookConfiguration validating) {
            set(
                    operations,
                    validating.getWebhooks().stream()
                            .map(ValidatingWebhook::getClientConfig)
                            .toList(),
                    bundle);
        } else if (stored instanceof CustomResourceDefinition definition) {
            set(operations, definition.getSpec().getConversion(), bundle);
        }
        return operations.size() == 1 ? Optional.empty() : Optional.of(operations.toString());
    }

    private static void set(ArrayNode operations, List<WebhookClientConfig> configs, String bundle) {
        for (int i = 0; i < configs.size(); i++) {
            if (!Objects.equals(configs.get(i).getCaBundle(), bundle)) {
                add(operations, "/webhooks/" + i + "/clientConfig/caBundle", bundle);
            }
        }
    }

    private static void set(ArrayNode operations, CustomResourceConversion conversion, String bundle) {
        if (conversion != null
                && conversion.getWebhook() != null
                && conversion.getWebhook().getClientConfig() != null
                && !Objects.equals(conversion.getWebhook().getClientConfig().getCaBundle(), bundle)) {
            add(operations, "/spec/conversion/webhook/clientConfig/caBundle", bundle);
        }
    }

    private static void add(ArrayNode operations, String path, String bundle) {
        operations.addObject().put("op", "add").put("path", path).put("value", bundle);
    }
}
