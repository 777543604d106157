package io.busbar.blueprint.definition;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.BlueprintResource;
import io.busbar.blueprint.Plan;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.check.CheckedPlan;
import io.busbar.blueprint.check.CheckedPlan.CheckedStep;
import io.busbar.blueprint.check.CheckedResource;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What the account of a Blueprint must be allowed to do: to watch instances, to write their status and Events about
 * them, to read or write the objects of resources, and to carry out plans. Where instances are watched in all
 * namespaces it is bound for all.
 *
 * <p>Immutable.
 *
 * @param role a ClusterRole
 * @param notes what was guessed
 */
public record Permissions(ObjectNode role, List<String> notes) {

    private static final String BLUEPRINTS = HasMetadata.getGroup(BlueprintRun.class);
    private static final String RUNS = "blueprintruns";
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
        Map<Resource, List<String>> needs = new TreeMap<>();
        InstanceSchema schema = checked.blueprint().schema();
        needs.put(new Resource(schema.group(), schema.plural()), READ);
        needs.put(new Resource(schema.group(), schema.plural() + "/status"), List.of("patch"));
        // So that it may be an owner whose deletion waits for what it owns.
        needs.put(new Resource(schema.group(), schema.plural() + "/finalizers"), List.of("update"));
        needs.put(new Resource("events.k8s.io", "events"), List.of("create", "patch"));
        for (CheckedResource resource : checked.resources()) {
            BlueprintResource source = resource.resource();
            String plural = resource.served().plural();
            if (resource.type().isEmpty()) {
                notes.add("the kind " + source.kind() + " of " + source.apiVersion()
                        + " is not known: that its plural is " + plural + " is guessed");
            }
            add(needs, new Resource(source.group(), plural), source.external() ? READ : WRITE);
        }
        checked.plans().forEach(plan -> addPlan(plan, needs));
        if (checked.keepsPlans()) {
            add(needs, new Resource(BLUEPRINTS, RUNS), List.of("create", "delete"));
        }
        if (checked.hasPlan(Plan.DELETE)) {
            add(needs, new Resource(schema.group(), schema.plural()), List.of("patch"));
        }
        return new Permissions(role(checked, needs), List.copyOf(new TreeSet<>(notes)));
    }

    private static void addPlan(CheckedPlan plan, Map<Resource, List<String>> needs) {
        add(needs, new Resource(BLUEPRINTS, RUNS), READ);
        add(needs, new Resource(BLUEPRINTS, RUNS + "/status"), List.of("patch"));
        add(needs, new Resource(BLUEPRINTS, RUNS + "/finalizers"), List.of("update"));
        // Those of any step are watched.
        add(needs, new Resource("batch", "jobs"), List.of("get", "list", "watch", "create", "delete"));
        for (CheckedStep step : plan.steps().values()) {
            step.type()
                    .ifPresent(type -> add(
                            needs,
                            new Resource(type.group(), type.plural()),
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
