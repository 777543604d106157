package io.busbar.blueprint.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far a run has come. Immutable, but for the fabric8 models within.
 *
 * @param phase Running, Succeeded, Failed or Cancelled
 * @param conditions Complete
 * @param observedGeneration the generation that the status is for
 * @param attempt which one this is
 * @param startTime when the first step began
 * @param completionTime when the run ended
 * @param steps in their order
 * @param instance the uid of the instance that it is about, where no annotation says so
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BlueprintRunStatus(
        @Nullable String phase,
        List<Condition> conditions,
        long observedGeneration,
        int attempt,
        @Nullable String startTime,
        @Nullable String completionTime,
        List<StepStatus> steps,
        @Nullable String instance)
        implements HasConditions {

    public BlueprintRunStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
        steps = steps == null ? List.of() : List.copyOf(steps);
    }

    /** What a step has come to. */
    public enum State {
        Pending,
        Running,
        Succeeded,
        Failed,
        Cancelled
    }

    /**
     * How far a step has come.
     *
     * @param phase of the plan
     * @param startTime when it began, in its last attempt
     * @param completionTime when it ended
     * @param object the uid of the Job that it runs, or of what it deletes
     * @param message what it waits for, or why it has failed
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record StepStatus(
            String phase,
            String name,
            State state,
            @Nullable String startTime,
            @Nullable String completionTime,
            @Nullable String object,
            @Nullable String message) {}

    /** The one of a name. */
    public Optional<StepStatus> step(String name) {
        return steps.stream().filter(step -> step.name().equals(name)).findFirst();
    }
}
