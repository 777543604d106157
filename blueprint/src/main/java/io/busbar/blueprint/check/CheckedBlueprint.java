package io.busbar.blueprint.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.Blueprint;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.types.Shape;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A Blueprint that can work.
 *
 * <p>Any thread.
 *
 * @param resources in the order in which they are made
 * @param plans in the order in which they are written
 * @param instance the shape of an instance, as the variable {@code schema}
 * @param self the shape of an instance with its status, as in triggers of plans
 * @param status the texts of the status with expressions, by the very node that they stand in
 * @param conditions of the status, beside the operator's own
 * @param statusSchema what the fields of the status are, as OpenAPI v3
 */
public record CheckedBlueprint(
        Blueprint blueprint,
        List<CheckedResource> resources,
        List<CheckedPlan> plans,
        Shape instance,
        Shape self,
        Map<SourceNode, CheckedText> status,
        List<Formula> conditions,
        JsonNode statusSchema) {

    private static final String READY = "Ready";
    private static final String RESOURCES_READY = "ResourcesReady";

    /** The type of the operator's own condition: {@code Ready}, unless the Blueprint makes one of that type. */
    public String ownCondition() {
        return conditions.stream()
                        .flatMap(formula -> ConditionFunctions.typesMade(formula.expression()).stream())
                        .anyMatch(READY::equals)
                ? RESOURCES_READY
                : READY;
    }

    /** Whether one of its plans has this name. */
    public boolean hasPlan(String name) {
        return plans.stream().anyMatch(plan -> plan.name().equals(name));
    }

    /** Whether there are plans that begin by themselves. */
    public boolean keepsPlans() {
        return plans.stream().anyMatch(plan -> plan.plan().beginsByItself());
    }

    /** Whether there may be objects that do not go by themselves with their instance, or are not to. */
    public boolean keepsLooseObjects() {
        boolean namespaced = blueprint.schema().namespaced();
        return resources.stream()
                .anyMatch(resource -> resource.resource().orphaned() || (namespaced && resource.mayBeElsewhere()));
    }

    /** The ids of resources of whose objects some expression reads more than their metadata. */
    public Set<String> readBeyondMetadata() {
        Set<String> ids = new HashSet<>();
        for (CheckedResource resource : resources) {
            boolean ofEach =
                    resource.readyWhen().stream().anyMatch(condition -> readsBeyondMetadata(condition, "each"));
            if (ofEach || formulas().anyMatch(formula -> readsBeyondMetadata(formula, resource.id()))) {
                ids.add(resource.id());
            }
        }
        return ids;
    }

    private Stream<Formula> formulas() {
        return Stream.of(
                        resources.stream().flatMap(CheckedResource::formulas),
                        plans.stream().flatMap(CheckedPlan::formulas),
                        status.values().stream().flatMap(CheckedText::formulas),
                        conditions.stream())
                .flatMap(all -> all);
    }

    private static boolean readsBeyondMetadata(Formula formula, String variable) {
        return formula.expression().paths().stream()
                .filter(path -> path.equals(variable) || path.startsWith(variable + "."))
                .anyMatch(path -> !(path + ".").startsWith(variable + ".metadata."));
    }
}
