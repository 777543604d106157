package io.busbar.blueprint.run;

import io.busbar.blueprint.Plan;
import io.busbar.blueprint.Plan.Phase;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.blueprint.v1alpha1.BlueprintRunSpec;
import io.busbar.blueprint.v1alpha1.BlueprintRunStatus;
import io.busbar.blueprint.v1alpha1.BlueprintRunStatus.State;
import io.busbar.blueprint.v1alpha1.BlueprintRunStatus.StepStatus;
import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far a run has come: what its status says, and what is known more now. A larger attempt has what has not succeeded
 * begin again.
 *
 * <p>One thread.
 */
final class RunProgress {

    private static final String TYPE = "Complete";
    static final ConditionReason SUCCEEDED = ConditionReason.ofTrue(TYPE, "Succeeded", "all steps have succeeded");
    static final ConditionReason RUNNING = ConditionReason.ofFalse(
            TYPE, "Running", "a step is under way; the message says which, and for what it waits");
    static final ConditionReason FAILED = ConditionReason.ofFalse(
            TYPE, "Failed", "a step has failed; the message says why. A larger spec.attempt has it begin again");
    static final ConditionReason CANCELLED = ConditionReason.ofFalse(
            TYPE, "Cancelled", "it was cancelled; without spec.cancel, a larger spec.attempt has it go on");
    private static final Set<State> ENDED = Set.of(State.Succeeded, State.Failed, State.Cancelled);

    private final BlueprintRun run;
    private final Instant now;
    private final int attempt;
    private final @Nullable BlueprintRunStatus before;
    /** Whether this attempt has just been asked for. */
    private final boolean anew;

    private final Map<String, StepStatus> steps = new LinkedHashMap<>();
    private @Nullable String instance;

    /** @param plan empty where there is none any more: what was done of it is known for when it is there again */
    RunProgress(BlueprintRun run, Optional<Plan> plan, Instant now) {
        this.run = run;
        this.now = now.truncatedTo(ChronoUnit.SECONDS);
        this.attempt = attempt(run.getSpec());
        this.before = run.getStatus();
        this.instance = before == null ? null : before.instance();
        this.anew = before == null || before.attempt() < attempt;
        List<StepStatus> known = before == null ? List.of() : before.steps();
        plan.map(RunProgress::stepsOf)
                .orElse(known)
                .forEach(step -> steps.put(step.name(), pending(step.phase(), step.name())));
        known.stream()
                .filter(step -> steps.containsKey(step.name()))
                .filter(step -> !anew || step.state() == State.Succeeded)
                .forEach(step -> steps.put(step.name(), step));
    }

    private static List<StepStatus> stepsOf(Plan plan) {
        return plan.phases().stream()
                .flatMap(phase -> phase.steps().stream().map(step -> pending(phase.name(), step.name())))
                .toList();
    }

    private static StepStatus pending(String phase, String name) {
        return new StepStatus(phase, name, State.Pending, null, null, null, null);
    }

    /** Which attempt is asked for, from 1. */
    static int attempt(BlueprintRunSpec spec) {
        return Objects.requireNonNullElse(spec.attempt(), 1);
    }

    /** Whether there is nothing more to do in this attempt. */
    boolean isOver() {
        return !anew && before != null && before.completionTime() != null;
    }

    /** Whether its last attempt has failed, for whatever reason. */
    boolean hasFailed() {
        return before != null && State.Failed.name().equals(before.phase());
    }

    /** Whether there is a step of this name. */
    boolean knows(String step) {
        return steps.containsKey(step);
    }

    StepStatus of(String step) {
        return Objects.requireNonNull(steps.get(step), step);
    }

    boolean hasEnded(String step) {
        return ENDED.contains(of(step).state());
    }

    /** The steps that have not. */
    List<String> unended() {
        return steps.keySet().stream().filter(step -> !hasEnded(step)).toList();
    }

    boolean hasSucceeded(Phase phase) {
        return phase.steps().stream().allMatch(step -> of(step.name()).state() == State.Succeeded);
    }

    /** Seconds since a step has begun; 0 where it has not. */
    long age(String step) {
        String started = of(step).startTime();
        return started == null ? 0 : Instant.parse(started).until(now, ChronoUnit.SECONDS);
    }

    /** @param object the uid of what it is about; null for none, or as before */
    void runs(String step, String message, @Nullable String object) {
        set(step, State.Running, message, object);
    }

    void succeeds(String step) {
        set(step, State.Succeeded, "", null);
    }

    void fails(String step, String message) {
        set(step, State.Failed, message, null);
    }

    private void set(String name, State state, String message, @Nullable String object) {
        StepStatus old = of(name);
        steps.put(
                name,
                new StepStatus(
                        old.phase(),
                        name,
                        state,
                        old.startTime() == null ? now.toString() : old.startTime(),
                        ENDED.contains(state) ? now.toString() : null,
                        object == null ? old.object() : object,
                        message));
    }

    /** From now on it is about this instance, and no other one. */
    void noteInstance(String uid) {
        instance = uid;
    }

    /** The run as one that was cancelled, unless there is nothing left of it. */
    BlueprintRun cancelled() {
        return !steps.isEmpty() && hasSucceeded() ? told() : ended(CANCELLED, "no further step begins");
    }

    private boolean hasSucceeded() {
        return steps.values().stream().allMatch(step -> step.state() == State.Succeeded);
    }

    /** The run as one that has ended, whatever its steps say: what is under way is not waited for any more. */
    BlueprintRun ended(ConditionReason reason, String message) {
        steps.keySet().stream()
                .filter(step -> of(step).state() == State.Running)
                .toList()
                .forEach(step -> set(step, State.Cancelled, "", null));
        return told(reason, message);
    }

    /** The run with this as its status. */
    BlueprintRun told() {
        Optional<StepStatus> failed = first(State.Failed);
        Optional<StepStatus> active = first(State.Running);
        if (active.isEmpty() && failed.isPresent()) {
            return told(FAILED, failed.get().name() + ": " + failed.get().message());
        }
        if (hasSucceeded()) {
            return told(SUCCEEDED, "all steps have succeeded");
        }
        return told(
                RUNNING,
                active.map(step -> step.name() + ": " + step.message()).orElse("the next step is about to begin"));
    }

    private Optional<StepStatus> first(State state) {
        return steps.values().stream().filter(step -> step.state() == state).findFirst();
    }

    /** The run with this as its status, whatever the steps say. */
    BlueprintRun told(ConditionReason reason, String message) {
        Conditions conditions = Conditions.of(run, now).with(reason, message);
        String started = before == null || before.startTime() == null ? now.toString() : before.startTime();
        return run.with(new BlueprintRunStatus(
                reason.reason(),
                conditions.list(),
                conditions.observedGeneration(),
                attempt,
                started,
                reason.equals(RUNNING) ? null : now.toString(),
                List.copyOf(steps.values()),
                instance));
    }
}
