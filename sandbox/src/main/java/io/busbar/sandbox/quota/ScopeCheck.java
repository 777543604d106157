package io.busbar.sandbox.quota;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.ResourceNames;
import io.busbar.sandbox.syntax.GoText;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What is wrong with the scopes of a quota's spec. Any thread. */
final class ScopeCheck {

    private static final Set<String> COMPUTED =
            Set.of("pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory");
    private static final Set<String> OF_CLAIMS = Set.of("persistentvolumeclaims", "requests.storage");

    private ScopeCheck() {}

    static void checkSame(Place scopes) {
        if (scopes.updates() && !set(scopes.value()).equals(set(scopes.before()))) {
            scopes.invalid("field is immutable");
        }
    }

    private static Set<JsonNode> set(JsonNode list) {
        Set<JsonNode> set = new HashSet<>();
        list.forEach(set::add);
        return set;
    }

    static void check(Place spec) {
        Set<String> names = new TreeSet<>();
        Place scopes = spec.field("scopes");
        for (JsonNode scope : scopes.value()) {
            applies(scopes, scopes, scopes.shown(), scope.asText(), spec);
            names.add(scope.asText());
        }
        conflicts(scopes, names, scopes);
        names.clear();
        Place selector = spec.field("scopeSelector");
        Place expressions = selector.field("matchExpressions");
        for (Place expression : expressions.each()) {
            String scope = expression.text("scopeName");
            applies(expressions.field("scopeName"), expressions, selector.shown(), scope, spec);
            expression(expression.besides(expressions.path()), scope);
            names.add(scope);
        }
        conflicts(expressions, names, scopes);
    }

    /** @param shown what messages show where a resource is not one of the scope's */
    private static void applies(Place named, Place place, String shown, String name, Place spec) {
        boolean flag = Scopes.FLAGS.contains(name);
        boolean priority = name.equals(Scopes.CLASS_OF_PRIORITY);
        if (!flag && !priority && !name.equals(Scopes.CLASS_OF_VOLUME)) {
            named.invalid(named == place ? shown : GoText.quote(name), "unsupported scope");
        }
        Set<String> hard = new TreeSet<>();
        spec.get("hard").fieldNames().forEachRemaining(hard::add);
        for (String resource : hard) {
            boolean fits = switch (name) {
                case "BestEffort" -> resource.equals("pods");
                case Scopes.CLASS_OF_VOLUME -> OF_CLAIMS.contains(resource);
                default -> (!flag && !priority) || COMPUTED.contains(resource);
            };
            if (!fits && ResourceNames.isOfQuota(resource)) {
                place.invalid(shown, "unsupported scope applied to resource");
            }
        }
    }

    private static void expression(Place expression, String scope) {
        Place operator = expression.field("operator");
        if (Scopes.FLAGS.contains(scope) && !expression.text("operator").equals("Exists")) {
            operator.invalid(
                    GoText.quote(expression.text("operator")),
                    "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating,"
                            + " ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or"
                            + " ResourceQuotaScopeCrossNamespacePodAffinity");
        }
        Place values = expression.field("values");
        switch (expression.text("operator")) {
            case "In", "NotIn" -> {
                if (values.isBlank()) {
                    values.required("must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isBlank()) {
                    values.invalid("must be no value when `operator` is 'Exists' or 'DoesNotExist' for scope selector");
                }
            }
            default -> operator.invalid(GoText.quote(expression.text("operator")), "not a valid selector operator");
        }
    }

    private static void conflicts(Place place, Set<String> names, Place scopes) {
        for (String scope : List.of("BestEffort", "Terminating")) {
            if (names.containsAll(Set.of(scope, "Not" + scope))) {
                place.invalid(scopes.shown(), "conflicting scopes");
            }
        }
    }
}
