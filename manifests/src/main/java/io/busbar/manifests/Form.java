package io.busbar.manifests;

import java.util.Map;

/**
 * What names come out as in one form of an installation: bare in kustomize's tree, which adds a prefix and a namespace itself; in
 * full in a file to apply; as words to be replaced in a chart.
 *
 * <p>Immutable.
 *
 * @param prefix of all names
 * @param namespace the operator's own
 * @param webhookHost {@code <Service>.<namespace>} of the webhooks
 * @param metricsHost the same of the metrics
 * @param service prefix of names where kustomize does not look for them
 */
record Form(
        OperatorDeclaration operator,
        String prefix,
        String namespace,
        String webhookHost,
        String metricsHost,
        String service) {

    /** What kustomize's replacements fill in. */
    private static final String PLACEHOLDER = "SERVICE.NAMESPACE";

    static Form kustomized(OperatorDeclaration operator) {
        return new Form(operator, "", "system", PLACEHOLDER, PLACEHOLDER, operator.prefix());
    }

    static Form installed(OperatorDeclaration operator) {
        return full(operator, operator.prefix(), operator.namespace());
    }

    /** With names that a chart is to put others in place of. */
    static Form full(OperatorDeclaration operator, String prefix, String namespace) {
        return new Form(
                operator,
                prefix,
                namespace,
                prefix + "webhook-service." + namespace,
                prefix + "controller-manager-metrics-service." + namespace,
                prefix);
    }

    /** Puts words in place of a template's <code>${…}</code>. */
    String fill(String template) {
        String text = template;
        for (Map.Entry<String, String> word : words().entrySet()) {
            text = text.replace("${" + word.getKey() + "}", word.getValue());
        }
        return text;
    }

    private Map<String, String> words() {
        int colon = operator.image().lastIndexOf(':');
        return Map.of(
                "name", operator.name(),
                "image.name", operator.image().substring(0, colon),
                "image.tag", operator.image().substring(colon + 1),
                "prefix", prefix,
                "namespace", namespace,
                "installed.prefix", service,
                "webhook.host", webhookHost,
                "metrics.host", metricsHost,
                "metrics.job", service + "controller-manager-metrics-service");
    }
}
