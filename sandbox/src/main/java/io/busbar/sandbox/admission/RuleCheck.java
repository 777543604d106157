package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

/** What is wrong with one of the {@code rules} of a webhook. Any thread. */
public final class RuleCheck {

    private static final List<String> OPERATIONS = List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");
    private static final List<String> SCOPES = List.of("*", "Cluster", "Namespaced");

    private RuleCheck() {}

    public static List<FieldCause> of(String path, JsonNode rule) {
        Causes causes = new Causes();
        JsonNode operations = rule.path("operations");
        some(causes, path + ".operations", operations, "operations");
        for (int i = 0; i < operations.size(); i++) {
            oneOf(causes, path + ".operations[" + i + "]", operations.path(i), OPERATIONS);
        }
        some(causes, path + ".apiGroups", rule.path("apiGroups"), "API groups");
        some(causes, path + ".apiVersions", rule.path("apiVersions"), "API versions");
        resources(causes, path + ".resources", rule.path("resources"));
        oneOf(causes, path + ".scope", rule.path("scope"), SCOPES);
        return causes.list();
    }

    private static void some(Causes causes, String path, JsonNode values, String what) {
        if (values.isEmpty()) {
            causes.required(path, "");
        } else if (values.size() > 1 && contains(values, "*")) {
            causes.add(
                    FieldCause.invalid(path, values.toString(), "if '*' is present, must not specify other " + what));
        }
    }

    private static void oneOf(Causes causes, String path, JsonNode value, List<String> allowed) {
        if (!value.isMissingNode() && !allowed.contains(value.asText())) {
            causes.unsupported(path, TextNode.valueOf(value.asText()), allowed);
        }
    }

    private static void resources(Causes causes, String path, JsonNode resources) {
        if (resources.isEmpty()) {
            causes.required(path, "");
        }
        Set<String> wholeObjects = new HashSet<>();
        Set<String> wholeParts = new HashSet<>();
        boolean plain = false;
        for (int i = 0; i < resources.size(); i++) {
            String resource = resources.path(i).asText();
            int slash = resource.indexOf('/');
            if (resource.isEmpty()) {
                causes.required(path + "[" + i + "]", "");
            } else if (slash < 0) {
                plain |= !resource.equals("*");
            } else {
                String object = resource.substring(0, slash);
                String part = resource.substring(slash + 1);
                covered(causes, path + "[" + i + "]", resource, wholeObjects.contains(object), object + "/*");
                covered(causes, path + "[" + i + "]", resource, wholeParts.contains(part), "*/" + part);
                if (part.equals("*")) {
                    wholeObjects.add(object);
                }
                if (object.equals("*")) {
                    wholeParts.add(part);
                }
            }
        }
        if (resources.size() > 1 && contains(resources, "*/*")) {
            causes.add(FieldCause.invalid(
                    path, resources.toString(), "if '*/*' is present, must not specify other resources"));
        }
        if (plain && contains(resources, "*")) {
            causes.add(FieldCause.invalid(
                    path,
                    resources.toString(),
                    "if '*' is present, must not specify other resources without subresources"));
        }
    }

    private static void covered(Causes causes, String path, String resource, boolean covered, String by) {
        if (covered) {
            causes.invalid(path, resource, "if '" + by + "' is present, must not specify " + resource);
        }
    }

    private static boolean contains(JsonNode values, String wanted) {
        return StreamSupport.stream(values.spliterator(), false)
                .anyMatch(value -> value.asText().equals(wanted));
    }
}
