package io.busbar.blueprint.definition;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.BlueprintResource;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.check.CheckedPlan;
import io.busbar.blueprint.check.CheckedPlan.CheckedStep;
import io.busbar.blueprint.check.CheckedResource;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.manifests.rbac.Permission;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What the account of a Blueprint must be allowed to do: to watch instances, to write their metadata, their status and
 * Events about them, to read or write the objects of resources, and to carry out plans. Where instances are watched in all
 * namespaces it is bound for all.
 *
 * <p>Immutable.
 *
 * @param role a ClusterRole
 * @param all the same, one for each resource
 * @param notes what was guessed, and where it has to be bound besides
 */
public record Permissions(ObjectNode role, List<Permission> all, List<String> notes) {

    private static final String BLUEPRINTS = HasMetadata.getGroup(BlueprintRun.class);
    private static final String RUNS = "blueprintruns";
    private static final List<String> READ = List.of("get", "list", "watch");
    private static final List<String> WRITE = List.of("get", "list", "watch", "create", "patch", "delete");

    private record Resource(String group, String plural, boolean namespaced) implements Comparable<Resource> {

        @Override
        public int compareTo(Resource other) {
            int byGroup = group.compareTo(other.group);
            return byGroup == 0 ? plural.compareTo(other.plural) : byGroup;
        }
    }

    public static Permissions of(CheckedBlueprint checked) {
        List<String> notes = new ArrayList<>();
        Map<Resource, List<String>> needs = new TreeMap<>();
        InstanceSchema schema = checked.blueprint().schema();
        boolean namespaced = schema.namespaced();
        needs.put(new Resource(schema.group(), schema.plural(), namespaced), READ);
        // For the labels and annotations of an ApplySet, and for finalizers.
        add(needs, new Resource(schema.group(), schema.plural(), namespaced), List.of("patch"));
        needs.put(new Resource(schema.group(), schema.plural() + "/status", namespaced), List.of("patch"));
        // So that it may be an owner whose deletion waits for what it owns.
        needs.put(new Resource(schema.group(), schema.plural() + "/finalizers", namespaced), List.of("update"));
        needs.put(new Resource("events.k8s.io", "events", namespaced), List.of("create", "patch"));
        for (CheckedResource resource : checked.resources()) {
            BlueprintResource source = resource.resource();
            String plural = resource.served().plural();
            if (resource.type().isEmpty()) {
                notes.add("the kind " + source.kind() + " of " + source.apiVersion()
                        + " is not known: that its plural is " + plural + " is guessed");
            }
            add(
                    needs,
                    new Resource(source.group(), plural, resource.served().namespaced()),
                    source.external() ? READ : WRITE);
            if (namespaced && resource.mayBeElsewhere()) {
                notes.add(whereToBind(resource));
            }
        }
        checked.plans().forEach(plan -> addPlan(plan, needs));
        if (checked.keepsPlans()) {
            add(needs, new Resource(BLUEPRINTS, RUNS, true), List.of("create", "delete"));
        }
        return new Permissions(role(checked, needs), all(needs), List.copyOf(new TreeSet<>(notes)));
    }

    /** A Role cannot reach there; the ClusterRole does wherever it is bound. */
    private static String whereToBind(CheckedResource resource) {
        String where = resource.resource()
                .namespace()
                .filter(SourceNode::isText)
                .map(SourceNode::text)
                .orElse("");
        String made = "'" + resource.id() + "' is made in ";
        if (!resource.served().namespaced()) {
            return made + "no namespace: bind this role by a ClusterRoleBinding";
        }
        return where.contains("${") || where.isEmpty()
                ? made + "a namespace that an expression names: bind this role for all namespaces, or in each that it"
                        + " may name"
                : made + "the namespace '" + where + "': bind this role for all namespaces, or in that one, too";
    }

    private static void addPlan(CheckedPlan plan, Map<Resource, List<String>> needs) {
        add(needs, new Resource(BLUEPRINTS, RUNS, true), READ);
        add(needs, new Resource(BLUEPRINTS, RUNS + "/status", true), List.of("patch"));
        add(needs, new Resource(BLUEPRINTS, RUNS + "/finalizers", true), List.of("update"));
        // Those of any step are watched.
        add(needs, new Resource("batch", "jobs", true), List.of("get", "list", "watch", "create", "delete"));
        for (CheckedStep step : plan.steps().values()) {
            step.type()
                    .ifPresent(type -> add(
                            needs,
                            new Resource(type.group(), type.plural(), type.namespaced()),
                            switch (step.step().action()) {
                                case APPLY -> List.of("get", "create", "patch");
                                case PATCH -> List.of("get", "patch");
                                case DELETE -> List.of("get", "delete");
                                default -> List.of();
                            }));
        }
    }

    private static void add(Map<Resource, List<String>> needs, Resource resource, List<String> verbs) {
        if (!verbs.isEmpty()) {
            needs.merge(
                    resource,
                    verbs,
                    (some, more) -> Stream.concat(some.stream(), more.stream())
                            .distinct()
                            .toList());
        }
    }

    private static List<Permission> all(Map<Resource, List<String>> needs) {
        return needs.entrySet().stream()
                .map(need -> new Permission(
                        need.getKey().group(),
                        Set.of(need.getKey().plural()),
                        Set.of(),
                        Set.copyOf(need.getValue()),
                        need.getKey().namespaced()))
                .toList();
    }

    private static ObjectNode role(CheckedBlueprint checked, Map<Resource, List<String>> needs) {
        ObjectNode role = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", "rbac.authorization.k8s.io/v1")
                .put("kind", "ClusterRole");
        role.putObject("metadata")
                .put("name", "blueprint-" + checked.blueprint().name());
        ArrayNode rules = role.putArray("rules");
        Map<String, ObjectNode> alike = new HashMap<>();
        needs.forEach((resource, verbs) -> alike.computeIfAbsent(resource.group() + " " + verbs, first -> {
                    ObjectNode rule = rules.addObject();
                    rule.putArray("apiGroups").add(resource.group());
                    rule.putArray("resources");
                    verbs.forEach(rule.putArray("verbs")::add);
                    return rule;
                })
                .withArrayProperty("resources")
                .add(resource.plural()));
        return role;
    }
}
