package io.busbar.manifests.webhook;

import io.busbar.common.ResourceType;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which requests a webhook is asked about: those that one of its rules names.
 *
 * <p>Immutable; methods return a changed copy. {@code *} alone stands for all groups or versions; names and meanings
 * are those of {@code admissionregistration.k8s.io/v1}.
 *
 * @param groups of APIs; empty text for the core group
 * @param resources such as {@code pods}, {@code pods/eviction}, {@code pods/*}, <code>*&#47;scale</code> or {@code *}
 */
public record WebhookRule(
        List<String> groups, List<String> versions, List<String> resources, Scope scope, List<Operation> operations) {

    private static final Pattern RESOURCE = Pattern.compile("(\\*|[a-z0-9.-]+)(/(\\*|[a-z0-9.-]+))?");

    /** Whether objects are in a namespace. */
    public enum Scope {
        ANY("*"),
        CLUSTER("Cluster"),
        NAMESPACED("Namespaced");

        private final String text;

        Scope(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /**
     * @throws IllegalArgumentException when the API server would not take it; the message names the field, its value
     *     and what is allowed
     */
    public WebhookRule {
        some("groups", groups);
        some("versions", versions);
        some("resources", resources);
        some("operations", operations);
        groups = List.copyOf(groups);
        versions = List.copyOf(versions);
        resources = List.copyOf(resources);
        operations = List.copyOf(operations);
        alone("groups", groups, "*");
        alone("versions", versions, "*");
        alone("resources", resources, "*/*");
        for (String resource : resources) {
            if (!RESOURCE.matcher(resource).matches()) {
                throw new IllegalArgumentException(
                        "resources of a webhook's rule: '" + resource
                                + "'; allowed: a resource in lower case and plural, or *, each with or without / and a subresource or *");
            }
        }
        if (resources.contains("*")) {
            resources.stream()
                    .filter(resource -> !resource.equals("*") && !resource.contains("/"))
                    .findFirst()
                    .ifPresent(covered -> {
                        throw new IllegalArgumentException("resources of a webhook's rule: '" + covered
                                + "' beside *; allowed: * without others that have no /");
                    });
        }
        if (new HashSet<>(operations).size() < operations.size()) {
            throw new IllegalArgumentException(
                    "operations of a webhook's rule: " + operations + "; allowed: each of them once");
        }
    }

    /** Objects of a type themselves, without what is below them. */
    public static WebhookRule on(ResourceType type, Operation... operations) {
        return new WebhookRule(
                List.of(type.group()),
                List.of(type.version()),
                List.of(type.plural()),
                type.namespaced() ? Scope.NAMESPACED : Scope.CLUSTER,
                List.of(operations));
    }

    /**
     * Subresources of a type, not its objects themselves: of many, such as {@code eviction} and {@code scale}, the API
     * server sends an object of another kind.
     *
     * @param names such as {@code ephemeralcontainers}, or {@code *}
     */
    public static WebhookRule onSubresources(ResourceType type, List<String> names, Operation... operations) {
        some("subresources", names);
        return on(type, operations)
                .withResources(
                        names.stream().map(name -> type.plural() + "/" + name).toList());
    }

    /** A subresource of whatever has it, in all groups and versions, such as {@code scale}. */
    public static WebhookRule onEach(String subresource, Operation... operations) {
        return new WebhookRule(List.of("*"), List.of("*"), List.of("*/" + subresource), Scope.ANY, List.of(operations));
    }

    /** In other versions of its group, too. */
    public WebhookRule andVersions(String... others) {
        return new WebhookRule(
                groups, Stream.concat(versions.stream(), Stream.of(others)).toList(), resources, scope, operations);
    }

    /** In these versions of its group, and no more in those that it named before. */
    public WebhookRule inVersions(String... others) {
        return new WebhookRule(groups, List.of(others), resources, scope, operations);
    }

    /** About other resources of its group, too. */
    public WebhookRule andResources(String... others) {
        List<String> all = new ArrayList<>(resources);
        all.addAll(List.of(others));
        return withResources(all);
    }

    private WebhookRule withResources(List<String> others) {
        return new WebhookRule(groups, versions, others, scope, operations);
    }

    private static void some(String field, Collection<?> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException(field + " of a webhook's rule: none; allowed: one or more");
        }
    }

    private static void alone(String field, List<String> values, String all) {
        if (values.size() > 1 && values.contains(all)) {
            throw new IllegalArgumentException(
                    field + " of a webhook's rule: " + values + "; allowed: " + all + " alone, or others");
        }
    }
}
