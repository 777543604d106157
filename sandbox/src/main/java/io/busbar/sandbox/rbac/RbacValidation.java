package io.busbar.sandbox.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Checks roles and what binds them. Any thread. */
final class RbacValidation {

    private static final String GROUP = "rbac.authorization.k8s.io";

    private RbacValidation() {}

    static void role(Causes causes, ObjectNode role, boolean namespaced) {
        JsonNode sum = role.path("aggregationRule");
        if (sum.isObject() && sum.path("clusterRoleSelectors").isEmpty()) {
            causes.required(
                    "aggregationRule.clusterRoleSelectors",
                    "at least one clusterRoleSelector required if aggregationRule is non-nil");
        }
        for (int i = 0; i < role.path("rules").size(); i++) {
            rule(causes, "rules[" + i + "].", role.path("rules").path(i), namespaced);
        }
    }

    private static void rule(Causes causes, String path, JsonNode rule, boolean namespaced) {
        if (rule.path("verbs").isEmpty()) {
            causes.required(path + "verbs", "verbs must contain at least one value");
        }
        JsonNode urls = rule.path("nonResourceURLs");
        if (!urls.isEmpty()) {
            if (namespaced) {
                causes.add(FieldCause.invalid(
                        path + "nonResourceURLs", texts(urls), "namespaced rules cannot apply to non-resource URLs"));
            }
            if (!rule.path("apiGroups").isEmpty()
                    || !rule.path("resources").isEmpty()
                    || !rule.path("resourceNames").isEmpty()) {
                causes.add(FieldCause.invalid(
                        path + "nonResourceURLs",
                        texts(urls),
                        "rules cannot apply to both regular resources and non-resource URLs"));
            }
            return;
        }
        if (rule.path("apiGroups").isEmpty()) {
            causes.required(path + "apiGroups", "resource rules must supply at least one api group");
        }
        if (rule.path("resources").isEmpty()) {
            causes.required(path + "resources", "resource rules must supply at least one resource");
        }
    }

    static void binding(Causes causes, ObjectNode binding, @Nullable ObjectNode before, boolean namespaced) {
        JsonNode role = binding.path("roleRef");
        List<String> kinds = namespaced ? List.of("Role", "ClusterRole") : List.of("ClusterRole");
        if (!role.path("apiGroup").asText(GROUP).equals(GROUP)) {
            causes.unsupported("roleRef.apiGroup", role.path("apiGroup"), List.of(GROUP));
        }
        if (!kinds.contains(role.path("kind").asText())) {
            causes.unsupported(
                    "roleRef.kind", TextNode.valueOf(role.path("kind").asText()), kinds);
        }
        String name = role.path("name").asText();
        if (name.isEmpty()) {
            causes.required("roleRef.name", "");
        }
        causes.invalid("roleRef.name", name, Names.pathSegment(name));
        for (int i = 0; i < binding.path("subjects").size(); i++) {
            subject(causes, "subjects[" + i + "].", binding.path("subjects").path(i), namespaced);
        }
        if (before != null && !before.path("roleRef").equals(role)) {
            causes.add(FieldCause.invalid("roleRef", printed(role), "cannot change roleRef"));
        }
    }

    private static void subject(Causes causes, String path, JsonNode subject, boolean namespaced) {
        if (subject.path("name").asText().isEmpty()) {
            causes.required(path + "name", "");
        }
        String group = subject.path("apiGroup").asText();
        switch (subject.path("kind").asText()) {
            case "ServiceAccount" -> {
                String name = subject.path("name").asText();
                if (!name.isEmpty()) {
                    causes.invalid(path + "name", name, Names.dnsSubdomain(name));
                }
                if (!group.isEmpty()) {
                    causes.unsupported(path + "apiGroup", subject.path("apiGroup"), List.of(""));
                }
                if (!namespaced && subject.path("namespace").asText().isEmpty()) {
                    causes.required(path + "namespace", "");
                }
            }
            case "User", "Group" -> {
                if (!group.equals(GROUP)) {
                    causes.unsupported(path + "apiGroup", subject.path("apiGroup"), List.of(GROUP));
                }
            }
            default ->
                causes.unsupported(
                        path + "kind",
                        TextNode.valueOf(subject.path("kind").asText()),
                        List.of("ServiceAccount", "User", "Group"));
        }
    }

    private static String printed(JsonNode role) {
        return "{\"APIGroup\":" + GoText.quote(role.path("apiGroup").asText()) + ",\"Kind\":"
                + GoText.quote(role.path("kind").asText()) + ",\"Name\":"
                + GoText.quote(role.path("name").asText()) + "}";
    }

    private static String texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(text -> GoText.quote(text.asText()))
                .collect(Collectors.joining(",", "[", "]"));
    }
}
