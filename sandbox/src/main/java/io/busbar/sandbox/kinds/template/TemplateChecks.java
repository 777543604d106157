package io.busbar.sandbox.kinds.template;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.rules.Labels;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.select.SelectorException;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.util.List;
import java.util.Locale;

/**
 * Checks the selector and the template of what makes Pods. The Pod's spec itself has rules of its type.
 *
 * <p>Any thread.
 */
public final class TemplateChecks {

    private static final List<String> ALWAYS = List.of("Always");

    private TemplateChecks() {}

    /**
     * A template whose Pods are started again whenever they end.
     *
     * @param spec that has the selector and the template
     * @param word for the kind in the message about an empty selector
     * @param kind as named where a deadline is refused
     */
    public static void check(Place spec, String word, String kind) {
        selector(spec, word);
        labels(spec.field("template"));
        Place policy = spec.at("template.spec.restartPolicy");
        if (!policy.isBlank() && !ALWAYS.contains(policy.value().asText())) {
            policy.unsupported(ALWAYS);
        }
        Place deadline = spec.at("template.spec.activeDeadlineSeconds");
        if (!deadline.isBlank()) {
            deadline.forbidden("activeDeadlineSeconds in " + kind + " is not Supported");
        }
    }

    /** The metadata of a template's Pods, whose paths in messages lack "metadata", and what only a Pod can have. */
    public static void labels(Place template) {
        Labels.check(template.at("metadata.labels").besides(template.path() + ".labels"));
        Place annotations = template.at("metadata.annotations").besides(template.path() + ".annotations");
        annotations
                .value()
                .fieldNames()
                .forEachRemaining(key ->
                        annotations.invalid(GoText.quote(key), Names.qualifiedName(key.toLowerCase(Locale.ROOT))));
        Place ephemeral = template.at("spec.ephemeralContainers");
        if (!ephemeral.isBlank()) {
            ephemeral.forbidden("ephemeral containers not allowed in pod template");
        }
    }

    /** A missing selector finds nothing. */
    public static void selector(Place spec, String word) {
        Place selector = spec.field("selector");
        Place labels = spec.at("template.metadata.labels");
        if (!selector.value().isObject()) {
            selector.required();
        } else if (selector.get("matchLabels").isEmpty()
                && selector.get("matchExpressions").isEmpty()) {
            selector.invalid("empty selector is invalid for " + word);
            return;
        }
        if (!matches(selector, labels.value())) {
            labels.invalid("`selector` does not match template `labels`");
        }
    }

    /** Whether a selector finds labels; what cannot be understood is told of, and finds them. */
    public static boolean matches(Place selector, JsonNode labels) {
        try {
            return LabelSelector.of(selector.value()).matches(labels);
        } catch (SelectorException e) {
            selector.invalid("invalid label selector");
            return true;
        }
    }
}
