package io.busbar.blueprint;

import io.busbar.blueprint.source.SourceNode;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What can be done with an instance once, when somebody asks for it, such as a backup.
 *
 * <p>Immutable.
 *
 * @param phases one after the other
 */
public record Plan(String name, List<Phase> phases) {

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
