package io.busbar.blueprint.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.Plan.Action;
import io.busbar.blueprint.check.BlueprintCheck;
import io.busbar.blueprint.check.CheckedPlan.CheckedStep;
import io.busbar.blueprint.check.Formula;
import io.busbar.blueprint.render.Evaluation.Stopped;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.Shown;
import java.util.List;
import java.util.Optional;

/**
 * What steps of plans come to.
 *
 * <p>One thread.
 */
public final class PlanRendering {

    private final Evaluation evaluation;
    private final String namespace;

    PlanRendering(Evaluation evaluation, JsonNode run, String namespace) {
        this.evaluation = evaluation;
        this.namespace = namespace;
        evaluation.set("run", run, BlueprintCheck.RUN);
    }

    /**
     * What a step is about.
     *
     * @param object empty while something is not known that it reads, or where an expression has failed
     * @param waitsFor for what; empty where the object is there
     */
    public record StepObject(Optional<ObjectNode> object, String waitsFor) {}

    /**
     * The object of a step, in the namespace of the instance where its kind has one and it names no other.
     *
     * @param problems takes an expression that fails, with its place in the Blueprint
     */
    public StepObject object(CheckedStep step, Problems problems) {
        try {
            ObjectNode object = (ObjectNode) evaluation
                    .telling(problems)
                    .render(step.step().body(), step.texts())
                    .orElseThrow();
            ObjectNode metadata = object.withObjectProperty("metadata");
            boolean namespaced = step.type().orElseThrow().namespaced();
            if (namespaced && metadata.path("namespace").asText().isEmpty()) {
                metadata.put("namespace", namespace);
            }
            if (namespaced
                    && namespace.isEmpty()
                    && metadata.path("namespace").asText().isEmpty()
                    && step.step().action() != Action.JOB) {
                String words = inNoNamespace(object.path("kind").asText());
                problems.add(step.step().body().place(), words);
                return new StepObject(Optional.empty(), words);
            }
            return new StepObject(Optional.of(object), "");
        } catch (Stopped stopped) {
            return new StepObject(Optional.empty(), stopped.why());
        }
    }

    /** What is wrong where an instance is in no namespace, and its object of this kind does not say one. */
    static String inNoNamespace(String kind) {
        return "the field 'metadata.namespace' is empty: instances are in none, and a " + kind + " is in one";
    }

    /**
     * What a step waits for; empty once its expression holds.
     *
     * @param problems as in {@link #object}
     */
    public String waitsFor(CheckedStep step, Problems problems) {
        Formula condition = step.condition().orElseThrow();
        try {
            return evaluation.telling(problems).holds(List.of(condition))
                    ? ""
                    : Shown.quoted(condition.text()) + " does not hold yet";
        } catch (Stopped stopped) {
            return stopped.why();
        }
    }
}
