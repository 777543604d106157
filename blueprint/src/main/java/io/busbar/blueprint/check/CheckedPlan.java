package io.busbar.blueprint.check;

import io.busbar.blueprint.Plan;
import io.busbar.blueprint.Plan.Step;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.common.ResourceType;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A plan whose expressions have been checked.
 *
 * <p>Any thread.
 *
 * @param trigger has it begin by itself
 * @param parameters those with expressions, by the very node that they stand in
 * @param steps by their names
 */
public record CheckedPlan(
        Plan plan, Optional<Formula> trigger, Map<SourceNode, CheckedText> parameters, Map<String, CheckedStep> steps) {

    public String name() {
        return plan.name();
    }

    Stream<Formula> formulas() {
        Stream<Formula> ofSteps = steps.values().stream()
                .flatMap(step -> Stream.concat(
                        step.condition().stream(),
                        step.texts().values().stream().flatMap(CheckedText::formulas)));
        Stream<Formula> ofParameters = parameters.values().stream().flatMap(CheckedText::formulas);
        return Stream.concat(trigger.stream(), Stream.concat(ofParameters, ofSteps));
    }

    /**
     * A step of a plan.
     *
     * @param type of its object, as far as it is known; empty where it waits for an expression
     * @param texts those with expressions, by the very node that they stand in
     * @param condition what is waited for; empty for a step with an object
     */
    public record CheckedStep(
            Step step, Optional<ResourceType> type, Map<SourceNode, CheckedText> texts, Optional<Formula> condition) {}
}
