package io.busbar.blueprint;

import io.busbar.blueprint.source.SourceNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What is done with an instance once, when somebody asks for it, or by itself.
 *
 * <p>Immutable.
 *
 * @param trigger the expression that has it begin by itself
 * @param parameters texts that its runs are given where they begin by themselves, by name
 * @param phases one after the other
 */
public record Plan(String name, Optional<SourceNode> trigger, Map<String, SourceNode> parameters, List<Phase> phases) {

    /** Begins by itself for each new instance. */
    public static final String DEPLOY = "deploy";
    /** Begins by itself when the spec of an instance has changed, unless it has a trigger of its own. */
    public static final String UPDATE = "update";
    /** Begins by itself before an instance goes. */
    public static final String DELETE = "delete";

    /** Whether it may begin without being asked for. */
    public boolean beginsByItself() {
        return trigger.isPresent() || List.of(DEPLOY, UPDATE, DELETE).contains(name);
    }

    /**
     * Steps that belong together.
     *
     * @param parallel whether all begin at once; else one after the other
     */
    public record Phase(String name, boolean parallel, List<Step> steps) {}

    /** What a step does. */
    public enum Action {
        /** Makes an object, or changes it to be so. */
        APPLY,
        /** Changes fields of an object that is there. */
        PATCH,
        /** Deletes an object, and waits until it is gone. */
        DELETE,
        /** Runs a Job to its end. */
        JOB,
        /** Waits until an expression holds. */
        WAIT;

        /** The field that says so. */
        public String field() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One thing that is done.
     *
     * @param name unique in the plan
     * @param body the template of an object, or the expression that is waited for
     * @param timeoutSeconds after which it has failed; empty for never
     */
    public record Step(String name, Action action, SourceNode body, OptionalLong timeoutSeconds) {}

    /** Of all phases. */
    public Stream<Step> steps() {
        return phases.stream().flatMap(phase -> phase.steps().stream());
    }
}
