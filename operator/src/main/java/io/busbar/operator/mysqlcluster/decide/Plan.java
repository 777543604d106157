package io.busbar.operator.mysqlcluster.decide;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.observe.Progress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done next, and what there is to tell meanwhile.
 *
 * <p>Immutable.
 *
 * @param actions in order; empty when there is nothing left to be done in this turn
 * @param isLast whether the turn ends with them, so that others come to act before it is decided again
 * @param progress what is decided once all of them are done
 * @param notes by the type of the condition
 * @param phase of what goes on; empty where nothing does
 */
public record Plan(
        List<Action> actions,
        boolean isLast,
        Progress progress,
        Map<String, Note> notes,
        Optional<ConditionReason> phase) {

    public Plan {
        actions = List.copyOf(actions);
        notes = Map.copyOf(notes);
    }

    /**
     * Something that a condition is to say.
     *
     * <p>Immutable.
     *
     * @param message for people, with the remedy where one is needed
     * @param event told when the condition did not give this reason before; null for none
     */
    public record Note(ConditionReason reason, String message, Action.@Nullable Tell event) {}

    /** Whether it is decided again, in the same turn, once the actions are done: steps that come later had no say. */
    public boolean isDecidedAgain() {
        return !actions.isEmpty() && !isLast;
    }

    public Optional<Note> noted(String condition) {
        return Optional.ofNullable(notes.get(condition));
    }

    /** Whether somebody must look. */
    public boolean isDegraded() {
        return noted(ConditionTypes.DEGRADED).isPresent();
    }
}
