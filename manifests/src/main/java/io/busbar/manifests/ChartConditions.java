package io.busbar.manifests;

import io.busbar.manifests.webhook.WebhookManifest;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.function.Predicate;

/**
 * When something is there in a chart, as the arguments of an {@code if} or of an {@code and}.
 *
 * <p>Immutable. They hold wherever {@code $} is what the chart was given.
 */
final class ChartConditions {

    static final String METRICS = "$.Values.metrics.enabled";
    static final String METRICS_CERTIFICATE =
            "and $.Values.metrics.enabled $.Values.metrics.secure $.Values.certManager.enabled";
    static final String WATCHED = "$.Values.watchNamespaces";

    private final OperatorDeclaration operator;

    ChartConditions(OperatorDeclaration operator) {
        this.operator = operator;
    }

    /** Whether webhooks are wanted, and one of the chosen operators has any. */
    String webhooks() {
        return included("webhooks");
    }

    String certManager() {
        return "and " + webhooks() + " $.Values.certManager.enabled";
    }

    String selfSigned() {
        return "and " + webhooks() + " (not $.Values.certManager.enabled)";
    }

    /** Whether a helper says anything. */
    String included(String helper) {
        return "(include \"" + operator.name() + "." + helper + "\" $)";
    }

    /** Whether one of the operators is chosen of which something is true. */
    String chosen(Predicate<OperatorPart> by) {
        StringBuilder condition = new StringBuilder("(or (not $.Values.operators)");
        operator.parts().stream()
                .filter(by)
                .forEach(
                        part -> condition.append(" (has \"").append(part.name()).append("\" $.Values.operators)"));
        return condition.append(')').toString();
    }

    static Predicate<OperatorPart> defining(Predicate<Class<? extends CustomResource<?, ?>>> kind) {
        return part -> part.types().stream().anyMatch(kind);
    }

    static Predicate<OperatorPart> having(Predicate<WebhookManifest> webhook) {
        return part -> part.webhooks().stream().anyMatch(webhook);
    }

    /** Whether webhooks are asked about its objects, conversions included. */
    static boolean hasWebhooks(OperatorPart part) {
        return !part.webhooks().isEmpty() || !part.converted().isEmpty();
    }
}
