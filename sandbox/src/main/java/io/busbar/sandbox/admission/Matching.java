package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which writes a webhook, a policy or a binding of one is about, by rules and by labels.
 *
 * <p>Immutable.
 *
 * @param unruled whether it is about all writes when it has no rules
 * @param equivalent whether another version of what a rule names will do
 */
public record Matching(
        boolean unruled,
        List<NamedRule> rules,
        List<NamedRule> excluded,
        LabelSelector namespaces,
        LabelSelector objects,
        boolean equivalent) {

    private static final GroupResource NAMESPACES = GroupResource.core("namespaces");

    /** @param names all for none */
    record NamedRule(Set<String> names, WebhookRule rule) {

        boolean matches(AdmissionAttributes attributes, Resource resource) {
            boolean isNamespace = resource.storage().equals(NAMESPACES);
            return rule.matches(
                            attributes.operation(),
                            resource.type(),
                            isNamespace ? "" : attributes.target().namespace(),
                            attributes.target().subresource())
                    && (names.isEmpty() || names.contains(attributes.target().name()));
        }
    }

    static Matching ofWebhook(JsonNode webhook) {
        return of(false, webhook, "rules");
    }

    /** @param resources {@code matchConstraints} of a policy, or {@code matchResources} of a binding */
    public static Matching ofPolicy(JsonNode resources) {
        return of(true, resources, "resourceRules");
    }

    private static Matching of(boolean unruled, JsonNode resources, String rules) {
        return new Matching(
                unruled,
                rules(resources.path(rules)),
                rules(resources.path("excludeResourceRules")),
                selector(resources.path("namespaceSelector")),
                selector(resources.path("objectSelector")),
                !resources.path("matchPolicy").asText().equals("Exact"));
    }

    private static List<NamedRule> rules(JsonNode rules) {
        List<NamedRule> read = new ArrayList<>();
        for (JsonNode rule : rules) {
            Set<String> names = new HashSet<>();
            rule.path("resourceNames").forEach(name -> names.add(name.asText()));
            read.add(new NamedRule(Set.copyOf(names), WebhookRule.of(rule)));
        }
        return List.copyOf(read);
    }

    private static LabelSelector selector(JsonNode selector) {
        return LabelSelector.of(selector.isObject() ? selector : JsonNodeFactory.instance.objectNode());
    }

    /**
     * The version in which a write is looked at; empty when it is none of the policy's business.
     *
     * @param object null for a deletion
     */
    public Optional<Resource> match(
            AdmissionAttributes attributes, @Nullable ObjectNode object, MemoryStore store, Catalog catalog) {
        if (!inNamespace(attributes, object, store) || !labelled(attributes, object)) {
            return Optional.empty();
        }
        Resource own = attributes.target().resource();
        if (version(excluded, attributes, catalog).isPresent()) {
            return Optional.empty();
        }
        return unruled && rules.isEmpty() ? Optional.of(own) : version(rules, attributes, catalog);
    }

    /** The request's own version when a rule names it, else another that is served, when an equivalent will do. */
    private Optional<Resource> version(List<NamedRule> among, AdmissionAttributes attributes, Catalog catalog) {
        Resource own = attributes.target().resource();
        if (among.stream().anyMatch(rule -> rule.matches(attributes, own))) {
            return Optional.of(own);
        }
        return equivalent && !among.isEmpty()
                ? catalog.served(own.storage()).stream()
                        .filter(other -> !other.type().equals(own.type())
                                && among.stream().anyMatch(rule -> rule.matches(attributes, other)))
                        .findFirst()
                : Optional.empty();
    }

    private boolean labelled(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        ObjectNode before = attributes.before();
        return objects.isEverything()
                || (object != null && objects.matches(labels(object)))
                || (before != null && objects.matches(labels(before)));
    }

    /** What is in no namespace is in every selected one; a Namespace is judged by its own labels. */
    private boolean inNamespace(AdmissionAttributes attributes, @Nullable ObjectNode object, MemoryStore store) {
        if (namespaces.isEverything()) {
            return true;
        }
        if (attributes.target().resource().storage().equals(NAMESPACES)) {
            ObjectNode judged = object == null ? attributes.before() : object;
            return judged != null && namespaces.matches(labels(judged));
        }
        String name = attributes.target().namespace();
        ObjectNode namespace = name.isEmpty() ? null : store.shelf(NAMESPACES).get(ObjectKey.of(name));
        return name.isEmpty() || (namespace != null && namespaces.matches(labels(namespace)));
    }

    private static JsonNode labels(ObjectNode object) {
        return object.path("metadata").path("labels");
    }
}
