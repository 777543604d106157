package io.busbar.blueprint.definition;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.BlueprintResource;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.check.CheckedResource;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.types.KindType;
import io.fabric8.kubernetes.api.Pluralize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the account of a Blueprint must be allowed to do.
 *
 * <p>Immutable.
 *
 * @param role a Role where all objects are in the namespace of the instance, a ClusterRole where some may be elsewhere
 * @param notes what was guessed
 */
public record Permissions(ObjectNode role, List<String> notes) {

    private static final List<String> READ = List.of("get", "list", "watch");
    private static final List<String> WRITE = List.of("get", "list", "watch", "create", "patch", "delete");

    private record Resource(String group, String plural) implements Comparable<Resource> {

        @Override
        public int compareTo(Resource other) {
            int byGroup = group.compareTo(other.group);
            return byGroup == 0 ? plural.compareTo(other.plural) : byGroup;
        }
    }

    public static Permissions of(CheckedBlueprint checked) {
        List<String> notes = new ArrayList<>();
        Map<Resource, Boolean> written = new TreeMap<>();
        boolean wide = !checked.blueprint().schema().namespaced();
        for (CheckedResource resource : checked.resources()) {
            BlueprintResource source = resource.resource();
            String plural = resource.type().map(KindType::plural).orElse("");
            if (plural.isEmpty()) {
                plural = Pluralize.toPlural(source.kind().toLowerCase(Locale.ROOT));
                notes.add("the kind " + source.kind() + " of " + source.apiVersion()
                        + " is not known: that its plural is " + plural + " is guessed");
            }
            written.merge(new Resource(source.group(), plural), !source.external(), Boolean::logicalOr);
            wide |= !resource.type().map(KindType::namespaced).orElse(true) || isElsewhere(source);
        }
        return new Permissions(role(checked, written, wide), List.copyOf(new TreeSet<>(notes)));
    }

    private static boolean isElsewhere(BlueprintResource resource) {
        SourceNode namespace = resource.body().at("metadata", "namespace");
        boolean selected = resource.body().at("metadata", "selector") != null;
        return namespace == null ? selected : !namespace.text().replace(" ", "").equals("${schema.metadata.namespace}");
    }

    private static ObjectNode role(CheckedBlueprint checked, Map<Resource, Boolean> written, boolean wide) {
        ObjectNode role = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", "rbac.authorization.k8s.io/v1")
                .put("kind", wide ? "ClusterRole" : "Role");
        role.putObject("metadata")
                .put("name", "blueprint-" + checked.blueprint().name());
        ArrayNode rules = role.putArray("rules");
        Map<String, TreeSet<String>> byGroup = new TreeMap<>();
        written.forEach((resource, write) -> byGroup.computeIfAbsent(
                        resource.group() + (write ? " w" : " r"), key -> new TreeSet<>())
                .add(resource.plural()));
        byGroup.forEach((key, plurals) -> {
            ObjectNode rule = rules.addObject();
            rule.putArray("apiGroups").add(key.substring(0, key.length() - 2));
            plurals.forEach(rule.putArray("resources")::add);
            (key.endsWith("w") ? WRITE : READ).forEach(rule.putArray("verbs")::add);
        });
        return role;
    }
}
