package io.busbar.manifests.webhook;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MatchCondition;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperations;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperationsBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfigBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The configurations that make the API server ask an operator's webhooks: one for the mutating, one for the validating,
 * each only where there are such.
 *
 * <p>Immutable. Webhooks are in the order of their declaration, in which the API server calls mutating ones. Those of
 * namespaced objects that select no namespaces leave out the operator's own, which must be able to start without
 * itself.
 *
 * @param prefix of the configurations' names, such as {@code busbar-}; may be empty
 * @param ownNamespace the operator's
 */
public record WebhookConfigurations(String prefix, String ownNamespace, List<WebhookManifest> webhooks) {

    public WebhookConfigurations {
        webhooks = List.copyOf(webhooks);
    }

    public String mutatingName() {
        return prefix + "mutating-webhook-configuration";
    }

    public String validatingName() {
        return prefix + "validating-webhook-configuration";
    }

    /** For webhooks behind a Service on port 443; who fills in the caBundle is another matter. */
    public List<HasMetadata> byService(String name, String namespace) {
        return configurations(path -> new WebhookClientConfigBuilder()
                .withNewService()
                .withName(name)
                .withNamespace(namespace)
                .withPath(path)
                .endService()
                .build());
    }

    /**
     * For webhooks of an operator outside the cluster.
     *
     * @param base such as {@code https://127.0.0.1:9443}, without a slash at the end
     * @param caBundle PEM in base64
     */
    public List<HasMetadata> byUrl(String base, String caBundle) {
        return configurations(path -> new WebhookClientConfigBuilder()
                .withUrl(base + path)
                .withCaBundle(caBundle)
                .build());
    }

    private List<HasMetadata> configurations(Function<String, WebhookClientConfig> client) {
        List<HasMetadata> configurations = new ArrayList<>();
        List<MutatingWebhook> mutating = webhooks.stream()
                .filter(WebhookManifest::mutating)
                .map(webhook -> mutating(webhook, client.apply(webhook.path())))
                .toList();
        if (!mutating.isEmpty()) {
            configurations.add(new MutatingWebhookConfigurationBuilder()
                    .withNewMetadata()
                    .withName(mutatingName())
                    .endMetadata()
                    .withWebhooks(mutating)
                    .build());
        }
        List<ValidatingWebhook> validating = webhooks.stream()
                .filter(webhook -> !webhook.mutating())
                .map(webhook -> validating(webhook, client.apply(webhook.path())))
                .toList();
        if (!validating.isEmpty()) {
            configurations.add(new ValidatingWebhookConfigurationBuilder()
                    .withNewMetadata()
                    .withName(validatingName())
                    .endMetadata()
                    .withWebhooks(validating)
                    .build());
        }
        return configurations;
    }

    private MutatingWebhook mutating(WebhookManifest webhook, WebhookClientConfig client) {
        WebhookPolicy policy = webhook.policy();
        return new MutatingWebhookBuilder()
                .withName(webhook.name())
                .withAdmissionReviewVersions("v1", "v1beta1")
                .withClientConfig(client)
                .withRules(rules(webhook))
                .withMatchConditions(conditions(webhook))
                .withNamespaceSelector(namespaces(webhook))
                .withObjectSelector(webhook.selection().objects())
                .withFailurePolicy(policy.onFailure())
                .withSideEffects(policy.sideEffects())
                .withTimeoutSeconds(Math.toIntExact(policy.timeout().toSeconds()))
                .withMatchPolicy(policy.match())
                .withReinvocationPolicy(policy.reinvocation())
                .build();
    }

    private ValidatingWebhook validating(WebhookManifest webhook, WebhookClientConfig client) {
        WebhookPolicy policy = webhook.policy();
        return new ValidatingWebhookBuilder()
                .withName(webhook.name())
                .withAdmissionReviewVersions("v1", "v1beta1")
                .withClientConfig(client)
                .withRules(rules(webhook))
                .withMatchConditions(conditions(webhook))
                .withNamespaceSelector(namespaces(webhook))
                .withObjectSelector(webhook.selection().objects())
                .withFailurePolicy(policy.onFailure())
                .withSideEffects(policy.sideEffects())
                .withTimeoutSeconds(Math.toIntExact(policy.timeout().toSeconds()))
                .withMatchPolicy(policy.match())
                .build();
    }

    private @Nullable LabelSelector namespaces(WebhookManifest webhook) {
        boolean open = webhook.namespaced() && webhook.selection().namespaces() == null;
        WebhookSelection selection = open ? WebhookSelection.outside(ownNamespace) : webhook.selection();
        return selection.namespacesBeside(ownNamespace);
    }

    private static List<RuleWithOperations> rules(WebhookManifest webhook) {
        return webhook.rules().stream()
                .map(rule -> new RuleWithOperationsBuilder()
                        .withApiGroups(rule.groups())
                        .withApiVersions(rule.versions())
                        .withResources(rule.resources())
                        .withScope(rule.scope().text())
                        .withOperations(
                                rule.operations().stream().map(Enum::name).toList())
                        .build())
                .toList();
    }

    private static List<MatchCondition> conditions(WebhookManifest webhook) {
        return webhook.conditions().stream()
                .map(condition -> new MatchCondition(condition.expression(), condition.name()))
                .toList();
    }
}
