package io.busbar.manifests;

import io.busbar.common.ResourceType;
import io.busbar.manifests.webhook.WebhookManifest;
import java.util.function.Predicate;

/**
 * When something is there in a chart, as the arguments of an {@code if} or of an {@code and}.
 *
 * <p>Immutable. They hold wherever {@code $} is what the chart was given.
 */
final class ChartConditions {

    static final String METRICS = "$.Values.metrics.enabled";
    static final String LIVE = "$.Values.live.enabled";
    static final String METRICS_CERTIFICATE =
            "and $.Values.metrics.enabled $.Values.metrics.secure $.Values.certManager.enabled"
                    + " (not $.Values.metrics.certificate.secretName)";

    /** A certificate for metrics is mounted. */
    static final String MOUNTED_FOR_METRICS = "and $.Values.metrics.enabled $.Values.metrics.secure"
            + " (or $.Values.certManager.enabled $.Values.metrics.certificate.secretName)";
    /** Among the arguments of an {@code and}: users bring no certificate for webhooks of their own. */
    static final String NO_CERTIFICATE = "(not $.Values.webhook.certificate.secretName)";

    static final String WATCHED = "$.Values.watchNamespaces";

    private final OperatorDeclaration operator;

    ChartConditions(OperatorDeclaration operator) {
        this.operator = operator;
    }

    /** Whether webhooks are wanted, and one of the chosen operators has any. */
    String webhooks() {
        return included("webhooks");
    }

    /** A certificate for webhooks is made by cert-manager. */
    String certManager() {
        return "and " + webhooks() + " $.Values.certManager.enabled " + NO_CERTIFICATE;
    }

    /** A certificate for webhooks is mounted, whoever makes it. */
    String mounted() {
        return "and " + webhooks() + " (or $.Values.certManager.enabled $.Values.webhook.certificate.secretName)";
    }

    String selfSigned() {
        return "and " + webhooks() + " (not $.Values.certManager.enabled) " + NO_CERTIFICATE;
    }

    /** Clients are verified by a CA that is in an object of a kind: {@code secret} or {@code configMap}. */
    String clientCa(String kind) {
        return "and " + webhooks() + " $.Values.webhook.clientCA." + kind + "Name";
    }

    String clientCa() {
        return "and " + webhooks()
                + " (or $.Values.webhook.clientCA.secretName $.Values.webhook.clientCA.configMapName)";
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

    static Predicate<OperatorPart> defining(Predicate<ResourceType> kind) {
        return part -> part.kinds().stream().anyMatch(kind);
    }

    static Predicate<OperatorPart> having(Predicate<WebhookManifest> webhook) {
        return part -> part.webhooks().stream().anyMatch(webhook);
    }

    /** Whether webhooks are asked about its objects, conversions included. */
    static boolean hasWebhooks(OperatorPart part) {
        return !part.webhooks().isEmpty() || !part.converted().isEmpty();
    }
}
