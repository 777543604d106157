package io.busbar.manifests;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What names come out as in one form of an installation: bare in kustomize's tree, which adds a prefix and a namespace
 * itself; in full in a file to apply; as words to be replaced in a chart.
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

    /** What readers of YAML take for something else. */
    private static final Set<String> OTHER_THAN_TEXT =
            Set.of("true", "false", "yes", "no", "on", "off", "y", "n", "null");

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

    /** The one that files say that are applied both with kustomize and without. */
    String unchangedNamespace() {
        return prefix.isEmpty() ? operator.namespace() : namespace;
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
        return Map.ofEntries(
                Map.entry("name", operator.name()),
                Map.entry("env", operator.name().toUpperCase(Locale.ROOT).replace('-', '_')),
                Map.entry("command", operator.command()),
                Map.entry("image.name", operator.image().substring(0, colon)),
                Map.entry("image.tag", text(operator.image().substring(colon + 1))),
                Map.entry("chart.tag", chartTag(operator.image().substring(colon + 1))),
                Map.entry("prefix", prefix),
                Map.entry("namespace", namespace),
                Map.entry("installed.prefix", service),
                Map.entry("webhook.host", webhookHost),
                Map.entry("metrics.host", metricsHost),
                Map.entry("metrics.job", service + "controller-manager-metrics-service"),
                Map.entry("converted.namespace", authority(0)),
                Map.entry("converted.name", authority(1)));
    }

    /** The one that every image has leaves it to the chart's appVersion. */
    private static String chartTag(String tag) {
        return tag.equals("latest") ? "\"\"" : text(tag);
    }

    /** As YAML takes it for text: 1.0 would be a number, and no tag. */
    private static String text(String tag) {
        boolean plain = Character.isLetter(tag.charAt(0)) && !OTHER_THAN_TEXT.contains(tag.toLowerCase(Locale.ROOT));
        return plain ? tag : '"' + tag + '"';
    }

    /** Targets of a replacement: a part of the annotation by which cert-manager fills in the CA of a conversion. */
    private String authority(int part) {
        return operator.converted().stream()
                .map(name -> """

                          - select:
                              kind: CustomResourceDefinition
                              name: %s
                            fieldPaths:
                            - metadata.annotations.[cert-manager.io/inject-ca-from]
                            options:
                              create: true
                              delimiter: /
                              index: %d""".formatted(name, part).replace("\n", "\n  "))
                .collect(Collectors.joining());
    }
}
