package io.busbar.manifests.installed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What the roles of an installed operator allow it, verb by verb. */
final class Grants {

    /** The names of those that are in the jar. */
    static final List<String> OPERATORS =
            List.of("sidecarset", "podset", "memcached", "guestbook", "podbugger", "mysqlcluster");

    private Grants() {}

    /** Of all roles that are bound, as {@code where: verb resource.group [name]}. */
    static Set<String> of(Collection<ObjectNode> objects) {
        Set<String> grants = new TreeSet<>();
        Map<String, ObjectNode> byKey = CheckedIn.byKey(List.copyOf(objects));
        byKey.forEach((key, binding) -> {
            if (!key.matches("(Cluster)?RoleBinding .*")) {
                return;
            }
            String namespace = binding.at("/metadata/namespace").asText();
            String kind = binding.at("/roleRef/kind").asText();
            ObjectNode role = byKey.get(kind + " " + (kind.equals("ClusterRole") ? "" : namespace) + "/"
                    + binding.at("/roleRef/name").asText());
            assertThat(role).as("the role of %s", key).isNotNull();
            String where = namespace.isEmpty() ? "everywhere" : namespace;
            role.path("rules").forEach(rule -> of(rule).forEach(grant -> grants.add(where + ": " + grant)));
        });
        return grants;
    }

    /** Of one rule, as {@code verb resource.group [name]}. */
    static Set<String> of(JsonNode rule) {
        Set<String> grants = new TreeSet<>();
        for (JsonNode verb : rule.path("verbs")) {
            rule.path("nonResourceURLs").forEach(path -> grants.add(verb.asText() + " " + path.asText()));
            for (JsonNode group : rule.path("apiGroups")) {
                for (JsonNode resource : rule.path("resources")) {
                    String grant = verb.asText() + " " + resource.asText()
                            + (group.asText().isEmpty() ? "" : "." + group.asText());
                    rule.path("resourceNames").forEach(name -> grants.add(grant + " " + name.asText()));
                    if (!rule.has("resourceNames")) {
                        grants.add(grant);
                    }
                }
            }
        }
        return grants;
    }
}
