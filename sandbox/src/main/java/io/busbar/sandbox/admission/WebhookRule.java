package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.common.ResourceType;
import java.util.HashSet;
import java.util.Set;

/**
 * Which requests a webhook wants to see: one of the {@code rules} of a configuration.
 *
 * <p>Immutable.
 */
public record WebhookRule(
        Set<String> operations, Set<String> groups, Set<String> versions, Set<String> resources, String scope) {

    public static WebhookRule of(JsonNode rule) {
        return new WebhookRule(
                texts(rule.path("operations")),
                texts(rule.path("apiGroups")),
                texts(rule.path("apiVersions")),
                texts(rule.path("resources")),
                rule.path("scope").asText("*"));
    }

    /** The scope of a Namespace is its own: it counts as cluster-scoped. */
    public boolean matches(String operation, ResourceType type, String namespace, String subresource) {
        boolean namespaced = !namespace.isEmpty();
        return anyOf(operations, operation)
                && anyOf(groups, type.group())
                && anyOf(versions, type.version())
                && (scope.equals("*") || scope.equals(namespaced ? "Namespaced" : "Cluster"))
                && resources.stream().anyMatch(resource -> covers(resource, type.plural(), subresource));
    }

    /** {@code pods}, {@code pods/status}, {@code pods/*}, {@code *}, {@code *}/{@code scale} or {@code *}/{@code *}. */
    private static boolean covers(String rule, String plural, String subresource) {
        int slash = rule.indexOf('/');
        String object = slash < 0 ? rule : rule.substring(0, slash);
        String part = slash < 0 ? "" : rule.substring(slash + 1);
        return (object.equals("*") || object.equals(plural)) && (part.equals("*") || part.equals(subresource));
    }

    private static boolean anyOf(Set<String> allowed, String value) {
        return allowed.contains("*") || allowed.contains(value);
    }

    private static Set<String> texts(JsonNode array) {
        Set<String> texts = new HashSet<>();
        array.forEach(text -> texts.add(text.asText()));
        return Set.copyOf(texts);
    }
}
