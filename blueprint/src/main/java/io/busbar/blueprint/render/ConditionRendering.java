package io.busbar.blueprint.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.busbar.blueprint.check.ConditionFunctions;
import io.busbar.blueprint.check.Formula;
import io.busbar.blueprint.render.Evaluation.Stopped;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.types.Shape.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The conditions that a Blueprint makes of its own, for an instance that has been rendered.
 *
 * <p>One thread.
 */
public final class ConditionRendering {

    /** A condition as it is stated: its time and its generation are the status's. */
    public record Stated(String type, String status, String reason, String message) {}

    /**
     * What they come to.
     *
     * @param complete whether all are known; those of before that are not among them stay otherwise
     */
    public record Outcome(List<Stated> stated, boolean complete) {}

    private final Evaluation evaluation;
    private final List<Formula> conditions;
    private final String ownType;

    ConditionRendering(Evaluation evaluation, List<Formula> conditions, String ownType) {
        this.evaluation = evaluation;
        this.conditions = conditions;
        this.ownType = ownType;
    }

    /**
     * @param own the operator's own, as kro calls its
     * @param problems takes the expressions that fail
     */
    public Outcome of(List<Stated> own, Problems problems) {
        if (conditions.isEmpty()) {
            return new Outcome(List.of(), true);
        }
        Evaluation known = evaluation.alsoOf(ConditionFunctions.OWN).telling(problems);
        known.set(ConditionFunctions.OWN, object(own), Scalar.ANY);
        Map<String, Stated> stated = new LinkedHashMap<>();
        boolean complete = true;
        for (Formula formula : conditions) {
            try {
                for (Stated each : statedBy(known.value(formula))) {
                    if (each.type().equals(ownType) || stated.putIfAbsent(each.type(), each) != null) {
                        problems.add(formula.place(), "there is another condition of the type '" + each.type() + "'");
                        complete = false;
                    }
                }
            } catch (Stopped e) {
                complete = false;
            }
        }
        return new Outcome(List.copyOf(stated.values()), complete);
    }

    private static JsonNode object(List<Stated> conditions) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        conditions.forEach(one -> all.addObject()
                .put("type", one.type())
                .put("status", one.status())
                .put("reason", one.reason())
                .put("message", one.message()));
        JsonNode status = JsonNodeFactory.instance.objectNode().set("conditions", all);
        return JsonNodeFactory.instance.objectNode().set("status", status);
    }

    private static List<Stated> statedBy(JsonNode value) {
        List<Stated> all = new ArrayList<>();
        for (JsonNode one : value.isArray() ? value : List.of(value)) {
            all.add(new Stated(
                    one.path("type").asText(),
                    one.path("status").asText(),
                    one.path("reason").asText(),
                    one.path("message").asText()));
        }
        return all;
    }
}
