package io.busbar.sandbox.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.admission.ConfigurationRules;
import io.busbar.sandbox.cel.MatchConditions;
import io.busbar.sandbox.rules.Check;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules of policies and their bindings. Any thread. */
public final class PolicyRules {

    public static final RulesFile RULES =
            RulesFile.beside(PolicyRules.class, checks(), Map.of("parameter", PolicyRules::parameter));
    private static final List<String> MUTATED = List.of("*", "CONNECT", "CREATE", "UPDATE");
    private static final List<String> ACTIONS = List.of("Audit", "Deny", "Warn");

    private PolicyRules() {}

    private static Map<String, Check> checks() {
        Map<String, Check> checks = new HashMap<>(ConfigurationRules.OF_RULES);
        checks.put("mutated", PolicyRules::mutated);
        checks.put("conditions", PolicyRules::conditions);
        checks.put("mutations", spec -> new ExpressionCheck(spec).mutations());
        checks.put("validations", spec -> new ExpressionCheck(spec).validations());
        checks.put("groupVersion", PolicyRules::groupVersion);
        checks.put("actions", PolicyRules::actions);
        return checks;
    }

    /** What the columns of a binding show of its parameters. */
    private static String parameter(JsonNode reference) {
        String name = reference.has("selector") ? "*" : reference.path("name").asText("<unset>");
        return reference.path("namespace").asText("*") + "/" + name;
    }

    private static void mutated(Place resources) {
        for (JsonNode rule : resources.get("resourceRules")) {
            for (JsonNode operation : rule.path("operations")) {
                if (!MUTATED.contains(operation.asText())) {
                    resources.at("resourceRules.operations").unsupported(GoText.quote(operation.asText()), MUTATED);
                }
            }
        }
    }

    private static void conditions(Place conditions) {
        boolean params = conditions.parent().value().hasNonNull("paramKind");
        MatchConditions.check(conditions.causes(), conditions.path(), conditions.value(), params);
    }

    private static void groupVersion(Place apiVersion) {
        String text = apiVersion.value().asText();
        String[] parts = text.split("/", -1);
        if (parts.length > 2) {
            apiVersion.invalid("unexpected GroupVersion string: " + text);
            return;
        }
        String version = parts[parts.length - 1];
        if (parts.length == 2 && !parts[0].isEmpty()) {
            joined(apiVersion, parts[0], Names.dnsSubdomain(parts[0]));
        }
        if (version.isEmpty()) {
            apiVersion.invalid("version must be specified");
        } else {
            joined(apiVersion, version, Names.dns1035Label(version));
        }
    }

    private static void joined(Place place, String value, List<String> complaints) {
        if (!complaints.isEmpty()) {
            place.invalid(GoText.quote(value), String.join(",", complaints));
        }
    }

    private static void actions(Place actions) {
        Set<String> seen = new HashSet<>();
        for (Place action : actions.each()) {
            if (!ACTIONS.contains(action.value().asText())) {
                action.unsupported(ACTIONS);
            }
            if (!seen.add(action.value().asText())) {
                action.duplicate();
            }
        }
        if (seen.containsAll(Set.of("Deny", "Warn"))) {
            actions.invalid(
                    "must not contain both Deny and Warn (repeating the same validation failure information in the API"
                            + " response and headers serves no purpose)");
        }
        if (seen.isEmpty()) {
            actions.required("at least one validation action is required");
        }
    }
}
