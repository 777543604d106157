package io.busbar.sandbox.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.kinds.pod.PodRules;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.storage.GroupResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * To which objects a quota is restricted by its {@code scopes} and its {@code scopeSelector}.
 *
 * <p>Immutable.
 */
final class Scopes {

    private static final GroupResource PODS = GroupResource.core("pods");
    private static final GroupResource CLAIMS = GroupResource.core("persistentvolumeclaims");
    static final String CLASS_OF_VOLUME = "VolumeAttributesClass";
    static final String CLASS_OF_PRIORITY = "PriorityClass";
    static final Set<String> FLAGS =
            Set.of("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "CrossNamespacePodAffinity");

    private Scopes() {}

    /** Whether an object is in all scopes of a quota. */
    static boolean contain(JsonNode quota, GroupResource resource, ObjectNode object) {
        for (JsonNode scope : quota.path("scopes")) {
            if (!contains(
                    JsonNodeFactory.instance.objectNode().put("operator", "Exists"),
                    scope.asText(),
                    resource,
                    object)) {
                return false;
            }
        }
        for (JsonNode expression : quota.path("scopeSelector").path("matchExpressions")) {
            if (!contains(expression, expression.path("scopeName").asText(), resource, object)) {
                return false;
            }
        }
        return true;
    }

    private static boolean contains(JsonNode expression, String scope, GroupResource resource, ObjectNode object) {
        JsonNode spec = object.path("spec");
        if (resource.equals(CLAIMS)) {
            return scope.equals(CLASS_OF_VOLUME)
                    && selects(
                            expression, spec.path("volumeAttributesClassName").asText());
        }
        boolean terminating = spec.path("activeDeadlineSeconds").asLong(-1) >= 0;
        return resource.equals(PODS)
                && switch (scope) {
                    case "Terminating" -> terminating;
                    case "NotTerminating" -> !terminating;
                    case "BestEffort" -> isBestEffort(object);
                    case "NotBestEffort" -> !isBestEffort(object);
                    case CLASS_OF_PRIORITY ->
                        selects(expression, spec.path("priorityClassName").asText());
                    case "CrossNamespacePodAffinity" -> looksElsewhere(spec.path("affinity"));
                    default -> false;
                };
    }

    private static boolean isBestEffort(ObjectNode pod) {
        String known = pod.path("status").path("qosClass").asText();
        return (known.isEmpty() ? PodRules.qualityOfService(pod.path("spec")) : known).equals("BestEffort");
    }

    private static boolean selects(JsonNode expression, String value) {
        ObjectNode labels = JsonNodeFactory.instance.objectNode();
        if (!value.isEmpty()) {
            labels.put("scope", value);
        }
        ObjectNode selector = JsonNodeFactory.instance.objectNode();
        ObjectNode requirement = selector.putArray("matchExpressions").addObject();
        requirement.setAll((ObjectNode) expression);
        requirement.put("key", "scope");
        return LabelSelector.of(selector).matches(labels);
    }

    private static boolean looksElsewhere(JsonNode affinity) {
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            List<JsonNode> terms = new ArrayList<>();
            affinity.path(kind)
                    .path("requiredDuringSchedulingIgnoredDuringExecution")
                    .forEach(terms::add);
            affinity.path(kind)
                    .path("preferredDuringSchedulingIgnoredDuringExecution")
                    .forEach(weighted -> terms.add(weighted.path("podAffinityTerm")));
            if (terms.stream().anyMatch(term -> !term.path("namespaces").isEmpty() || term.has("namespaceSelector"))) {
                return true;
            }
        }
        return false;
    }
}
