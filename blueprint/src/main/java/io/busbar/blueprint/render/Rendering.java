package io.busbar.blueprint.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an instance comes to, as far as it is known.
 *
 * <p>Immutable; the objects in it are not to be changed.
 *
 * @param steps one for each resource, in order
 * @param status what the expressions of the status come to, without those that are not known yet
 * @param unknown the fields of the status that are not known yet, and why
 * @param conditions what makes the Blueprint's own conditions
 * @param calls the plans that are to begin, of those that were asked about
 * @param unknownCalls of those that are to be given what is not known: which parameter that is, and why
 */
public record Rendering(
        List<Step> steps,
        ObjectNode status,
        List<String> unknown,
        ConditionRendering conditions,
        List<PlanCall> calls,
        List<String> unknownCalls) {

    /** The first resource that waits, or is not ready. */
    public Optional<Step> unready() {
        return steps.stream()
                .filter(step -> step.fate() == Fate.WAITING || (step.fate() != Fate.LEFT_OUT && !step.ready()))
                .findFirst();
    }

    /**
     * That a plan is to begin.
     *
     * @param parameters what its run is given
     */
    public record PlanCall(String plan, Map<String, String> parameters) {}

    /**
     * Which plans are looked at.
     *
     * @param plans their names; one with a trigger is to begin when that holds, any other one whatever holds
     * @param oldSpec what triggers know as {@code oldSelf.spec}
     */
    public record PlanQuestion(Set<String> plans, JsonNode oldSpec) {

        /** About none. */
        public static final PlanQuestion NONE = new PlanQuestion(Set.of(), JsonNodeFactory.instance.objectNode());
    }

    /** What becomes of a resource. */
    public enum Fate {
        /** Its objects are applied. */
        MADE,
        /** It is external, and has been found. */
        READ,
        /** Something that it reads is not known yet. */
        WAITING,
        /** Its conditions leave it out, or something that it reads is left out. */
        LEFT_OUT
    }

    /**
     * A resource.
     *
     * @param objects that are applied; none but of what is made
     * @param ready whether those that read it need not wait
     * @param why it waits, is left out or is not ready; empty otherwise
     */
    public record Step(String id, Fate fate, List<ObjectNode> objects, boolean ready, String why) {}
}
