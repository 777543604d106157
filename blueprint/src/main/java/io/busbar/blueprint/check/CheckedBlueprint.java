package io.busbar.blueprint.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.Blueprint;
import io.busbar.blueprint.Plan;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.types.Shape;
import java.util.List;
import java.util.Map;

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
 * @param statusSchema what the fields of the status are, as OpenAPI v3
 */
public record CheckedBlueprint(
        Blueprint blueprint,
        List<CheckedResource> resources,
        List<CheckedPlan> plans,
        Shape instance,
        Shape self,
        Map<SourceNode, CheckedText> status,
        JsonNode statusSchema) {

    /** Whether one of its plans has this name. */
    public boolean hasPlan(String name) {
        return plans.stream().anyMatch(plan -> plan.name().equals(name));
    }

    /** Whether there are plans that begin by themselves. */
    public boolean keepsPlans() {
        return plans.stream().anyMatch(plan -> plan.plan().beginsByItself());
    }

    /** Whether there are plans that begin by themselves, but for the one before an instance goes. */
    public boolean beginsPlans() {
        return plans.stream()
                .anyMatch(plan -> plan.plan().beginsByItself() && !plan.name().equals(Plan.DELETE));
    }
}
