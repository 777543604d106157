package io.busbar.manifests.webhook;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which objects a webhook is asked about.
 *
 * <p>Immutable, as long as nobody changes the selectors.
 *
 * @param namespaces null for all, and for cluster-scoped objects
 * @param objects null for all
 */
public record WebhookSelection(
        @Nullable LabelSelector namespaces, @Nullable LabelSelector objects) {

    public static WebhookSelection everything() {
        return new WebhookSelection(null, null);
    }

    /** Objects with these labels only, in the namespaces that were selected before. */
    public WebhookSelection labelled(LabelSelector labels) {
        return new WebhookSelection(namespaces, labels);
    }

    /**
     * All namespaces but these and those labelled {@code control-plane}.
     *
     * <p>Names are told by the label {@code kubernetes.io/metadata.name}, which namespaces have since Kubernetes 1.21.
     * On an older cluster only the {@code control-plane} label excludes, so an operator's own namespace should have it.
     */
    public static WebhookSelection outside(String... namespaces) {
        LabelSelector selector = new LabelSelectorBuilder()
                .addNewMatchExpression()
                .withKey("kubernetes.io/metadata.name")
                .withOperator("NotIn")
                .withValues(List.of(namespaces))
                .endMatchExpression()
                .addNewMatchExpression()
                .withKey("control-plane")
                .withOperator("DoesNotExist")
                .endMatchExpression()
                .build();
        return new WebhookSelection(selector, null);
    }
}
