package io.busbar.sandbox.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.kinds.pod.PodRules;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.storage.GroupResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * To which objects a quota is restricted by its {@code scopes} and its {@code scopeSelector}.
 *
 * <p>Immutable.
 */
final class Scopes {

    private static final GroupResource PODS = GroupResource.core("pods");
    private static final GroupResource CLAIMS = GroupResource.core("persistentvolumeclaims");
    private static final String CLASS_OF_VOLUME = "VolumeAttributesClass";
    private static final String CLASS_OF_PRIORITY = "PriorityClass";
    private static final Set<String> FLAGS =
            Set.of("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "CrossNamespacePodAffinity");
    private static final Set<String> COMPUTED =
            Set.of("pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory");
    private static final Set<String> OF_CLAIMS = Set.of("persistentvolumeclaims", "requests.storage");

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

    /** What is wrong with the scopes of a quota's spec. */
    static void check(Causes causes, JsonNode spec) {
        Set<String> names = new TreeSet<>();
        for (JsonNode scope : spec.path("scopes")) {
            applies(causes, "spec.scopes", "spec.scopes", scope, spec.path("scopes"), spec);
            names.add(scope.asText());
        }
        conflicts(causes, "spec.scopes", names, spec);
        names.clear();
        String path = "spec.scopeSelector.matchExpressions";
        for (JsonNode expression : spec.path("scopeSelector").path("matchExpressions")) {
            JsonNode scope = expression.path("scopeName");
            applies(causes, path + ".scopeName", path, scope, spec.path("scopeSelector"), spec);
            expression(causes, path, expression);
            names.add(scope.asText());
        }
        conflicts(causes, path, names, spec);
    }

    private static void applies(
            Causes causes, String namePath, String path, JsonNode scope, JsonNode shown, JsonNode spec) {
        String name = scope.asText();
        if (!FLAGS.contains(name) && !name.equals(CLASS_OF_PRIORITY) && !name.equals(CLASS_OF_VOLUME)) {
            causes.invalid(namePath, namePath.equals(path) ? shown : scope, "unsupported scope");
        }
        Set<String> hard = new TreeSet<>();
        spec.path("hard").fieldNames().forEachRemaining(hard::add);
        for (String resource : hard) {
            boolean fits = switch (name) {
                case "BestEffort" -> resource.equals("pods");
                case CLASS_OF_VOLUME -> OF_CLAIMS.contains(resource);
                default -> (!FLAGS.contains(name) && !name.equals(CLASS_OF_PRIORITY)) || COMPUTED.contains(resource);
            };
            if (!fits && ResourceNames.isOfQuota(resource)) {
                causes.invalid(path, shown, "unsupported scope applied to resource");
            }
        }
    }

    private static void expression(Causes causes, String path, JsonNode expression) {
        String operator = expression.path("operator").asText();
        if (FLAGS.contains(expression.path("scopeName").asText()) && !operator.equals("Exists")) {
            causes.invalid(
                    path + ".operator",
                    operator,
                    "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating,"
                            + " ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or"
                            + " ResourceQuotaScopeCrossNamespacePodAffinity");
        }
        JsonNode values = expression.path("values");
        switch (operator) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    causes.required(
                            path + ".values",
                            "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    causes.invalid(
                            path + ".values",
                            values,
                            "must be no value when `operator` is 'Exists' or 'DoesNotExist' for scope selector");
                }
            }
            default -> causes.invalid(path + ".operator", operator, "not a valid selector operator");
        }
    }

    private static void conflicts(Causes causes, String path, Set<String> names, JsonNode spec) {
        for (String scope : List.of("BestEffort", "Terminating")) {
            if (names.containsAll(Set.of(scope, "Not" + scope))) {
                causes.invalid(path, spec.path("scopes"), "conflicting scopes");
            }
        }
    }
}
