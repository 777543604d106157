package io.busbar.sandbox.admission;

import io.busbar.sandbox.cel.MatchConditions;
import io.busbar.sandbox.rules.Check;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.syntax.Names;
import io.busbar.sandbox.webhook.ClientConfigs;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules of configurations of webhooks, and of the {@code rules} in them, which policies have as well.
 *
 * <p>Any thread. Their order and the words are those of {@code pkg/apis/admissionregistration/validation}.
 */
public final class ConfigurationRules {

    /** What is checked of the rules of policies, too. */
    public static final Map<String, Check> OF_RULES = Map.of(
            "operations", values -> some(values, "operations"),
            "groups", values -> some(values, "API groups"),
            "versions", values -> some(values, "API versions"),
            "resources", ConfigurationRules::resources);

    public static final RulesFile RULES = RulesFile.beside(ConfigurationRules.class, checks());

    private ConfigurationRules() {}

    private static Map<String, Check> checks() {
        Map<String, Check> checks = new HashMap<>(OF_RULES);
        checks.put("webhooks", ConfigurationRules::webhooks);
        checks.put("name", ConfigurationRules::name);
        checks.put("client", ClientConfigs::check);
        checks.put(
                "conditions",
                conditions -> MatchConditions.check(conditions.causes(), conditions.path(), conditions.value()));
        checks.put("reviewVersions", ClientConfigs::checkVersions);
        return checks;
    }

    private static void webhooks(Place webhooks) {
        Set<String> names = new HashSet<>();
        for (Place webhook : webhooks.each()) {
            if (!webhook.text("name").isEmpty() && !names.add(webhook.text("name"))) {
                webhook.field("name").duplicate();
            }
        }
    }

    private static void name(Place name) {
        String text = name.value().asText();
        List<String> complaints = Names.dnsSubdomain(text);
        if (name.isBlank()) {
            name.required();
        } else if (!complaints.isEmpty()) {
            name.invalid(String.join(",", complaints));
        } else if (text.split("\\.", -1).length < 3) {
            name.invalid("should be a domain with at least three segments separated by dots");
        }
    }

    private static void some(Place values, String what) {
        if (values.isBlank()) {
            values.required();
        } else if (values.value().size() > 1 && contains(values, "*")) {
            values.invalid("if '*' is present, must not specify other " + what);
        }
    }

    private static void resources(Place resources) {
        if (resources.isBlank()) {
            resources.required();
        }
        Set<String> wholeObjects = new HashSet<>();
        Set<String> wholeParts = new HashSet<>();
        boolean plain = false;
        for (Place each : resources.each()) {
            String resource = each.value().asText();
            int slash = resource.indexOf('/');
            if (resource.isEmpty()) {
                each.required();
            } else if (slash < 0) {
                plain |= !resource.equals("*");
            } else {
                String object = resource.substring(0, slash);
                String part = resource.substring(slash + 1);
                covered(each, resource, wholeObjects.contains(object), object + "/*");
                covered(each, resource, wholeParts.contains(part), "*/" + part);
                if (part.equals("*")) {
                    wholeObjects.add(object);
                }
                if (object.equals("*")) {
                    wholeParts.add(part);
                }
            }
        }
        if (resources.value().size() > 1 && contains(resources, "*/*")) {
            resources.invalid("if '*/*' is present, must not specify other resources");
        }
        if (plain && contains(resources, "*")) {
            resources.invalid("if '*' is present, must not specify other resources without subresources");
        }
    }

    private static void covered(Place place, String resource, boolean covered, String by) {
        if (covered) {
            place.invalid("if '" + by + "' is present, must not specify " + resource);
        }
    }

    private static boolean contains(Place values, String wanted) {
        return values.each().stream().anyMatch(value -> value.value().asText().equals(wanted));
    }
}
