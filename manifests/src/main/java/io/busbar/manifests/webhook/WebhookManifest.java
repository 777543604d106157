package io.busbar.manifests.webhook;

import io.busbar.common.ResourceType;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One webhook of an operator.
 *
 * <p>Immutable; methods return a changed copy.
 *
 * @param name qualified, such as {@code vwidget.example.com}; unique within its configuration
 * @param mutating whether it may change objects; else it only accepts or refuses
 * @param path where the operator serves it
 * @param rules which requests it is asked about: those that one of them names
 * @param conditions which all must hold beside; may be none
 */
public record WebhookManifest(
        String name,
        boolean mutating,
        String path,
        List<WebhookRule> rules,
        List<WebhookCondition> conditions,
        WebhookSelection selection,
        WebhookPolicy policy) {

    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?){2,}");
    private static final int MOST_CONDITIONS = 64;

    public enum Operation {
        CREATE,
        UPDATE,
        DELETE,
        CONNECT
    }

    /**
     * @throws IllegalArgumentException when the API server would not take it; the message names the field, its value
     *     and what is allowed
     */
    public WebhookManifest {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name of a webhook: '" + name
                    + "'; allowed: three segments or more in lower case, such as vwidget.example.com");
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "path of webhook " + name + ": '" + path + "'; allowed: one that starts with /");
        }
        if (rules.isEmpty()) {
            throw new IllegalArgumentException("rules of webhook " + name + ": none; allowed: one or more");
        }
        if (conditions.size() > MOST_CONDITIONS) {
            throw new IllegalArgumentException("conditions of webhook " + name + ": " + conditions.size()
                    + "; allowed: " + MOST_CONDITIONS + " or fewer");
        }
        if (conditions.stream().map(WebhookCondition::name).distinct().count() < conditions.size()) {
            throw new IllegalArgumentException("conditions of webhook " + name + ": "
                    + conditions.stream().map(WebhookCondition::name).toList() + "; allowed: each name once");
        }
        if (!mutating && policy.reinvocation() != null) {
            throw new IllegalArgumentException("reinvocation of webhook " + name + ": " + policy.reinvocation()
                    + "; allowed: of mutating ones alone");
        }
        rules = List.copyOf(rules);
        conditions = List.copyOf(conditions);
    }

    /** A mutating one at {@code /mutate-<group-dashed>-<version>-<kind>}, as controller-runtime names paths. */
    public static WebhookManifest mutating(String name, ResourceType resource, Operation... operations) {
        return of(name, true, "/mutate-" + conventional(resource), resource, operations);
    }

    /** A validating one at {@code /validate-<group-dashed>-<version>-<kind>}. */
    public static WebhookManifest validating(String name, ResourceType resource, Operation... operations) {
        return of(name, false, "/validate-" + conventional(resource), resource, operations);
    }

    /** Called by another name. */
    public WebhookManifest named(String other) {
        return new WebhookManifest(other, mutating, path, rules, conditions, selection, policy);
    }

    /** Served at a path of one's own. */
    public WebhookManifest at(String other) {
        return new WebhookManifest(name, mutating, other, rules, conditions, selection, policy);
    }

    /** Asked about what other rules name, too. Its rule in Java can tell by resource and subresource. */
    public WebhookManifest and(WebhookRule... others) {
        return withRules(Stream.concat(rules.stream(), Stream.of(others)).toList());
    }

    /** Asked about what these rules name, and no more about what it was asked before. */
    public WebhookManifest about(WebhookRule... others) {
        return withRules(List.of(others));
    }

    /** Asked only if this holds, too; see {@link WebhookCondition} for API servers before 1.28. */
    public WebhookManifest onlyIf(String conditionName, String expression) {
        List<WebhookCondition> all = Stream.concat(
                        conditions.stream(), Stream.of(new WebhookCondition(conditionName, expression)))
                .toList();
        return new WebhookManifest(name, mutating, path, rules, all, selection, policy);
    }

    /** Asked about selected objects only. */
    public WebhookManifest selecting(WebhookSelection objects) {
        return new WebhookManifest(name, mutating, path, rules, conditions, objects, policy);
    }

    /** Asked in another way than the standard one. */
    public WebhookManifest with(WebhookPolicy other) {
        return new WebhookManifest(name, mutating, path, rules, conditions, selection, other);
    }

    /** Whether it may be asked about objects that are in a namespace. */
    boolean namespaced() {
        return rules.stream().anyMatch(rule -> rule.scope() != WebhookRule.Scope.CLUSTER);
    }

    private WebhookManifest withRules(List<WebhookRule> others) {
        return new WebhookManifest(name, mutating, path, others, conditions, selection, policy);
    }

    private static WebhookManifest of(
            String name, boolean mutating, String path, ResourceType resource, Operation... operations) {
        return new WebhookManifest(
                name,
                mutating,
                path,
                List.of(WebhookRule.on(resource, operations)),
                List.of(),
                WebhookSelection.everything(),
                WebhookPolicy.standard());
    }

    private static String conventional(ResourceType resource) {
        String group = resource.group().isEmpty() ? "" : resource.group().replace('.', '-') + "-";
        return group + resource.version() + "-" + resource.kind().toLowerCase(Locale.ROOT);
    }
}
