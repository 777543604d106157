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
 * @param notOwnNamespace whether the operator's own is left out, too, which is known once it is installed
 */
public record WebhookSelection(
        @Nullable LabelSelector namespaces, @Nullable LabelSelector objects, boolean notOwnNamespace) {

    private static final String NAME = "kubernetes.io/metadata.name";

    public WebhookSelection(@Nullable LabelSelector namespaces, @Nullable LabelSelector objects) {
        this(namespaces, objects, false);
    }

    public static WebhookSelection everything() {
        return new WebhookSelection(null, null);
    }

    /** Objects with these labels only, in the namespaces that were selected before. */
    public WebhookSelection labelled(LabelSelector labels) {
        return new WebhookSelection(namespaces, labels, notOwnNamespace);
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
                .withKey(NAME)
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

    /** The same, and not that of the operator itself. */
    public static WebhookSelection outsideOwnAnd(String... namespaces) {
        return new WebhookSelection(outside(namespaces).namespaces(), null, true);
    }

    /**
     * The selector of namespaces, once the operator's own is known.
     *
     * @return null for all
     */
    @Nullable
    LabelSelector namespacesBeside(String ownNamespace) {
        if (!notOwnNamespace || namespaces == null) {
            return namespaces;
        }
        return new LabelSelectorBuilder(namespaces)
                .editMatchingMatchExpression(expression -> NAME.equals(expression.getKey()))
                .addToValues(0, ownNamespace)
                .endMatchExpression()
                .build();
    }
}
