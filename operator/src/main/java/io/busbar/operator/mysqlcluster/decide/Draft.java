package io.busbar.operator.mysqlcluster.decide;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.Progress;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A plan as it comes together, step by step. For one thread. */
public final class Draft {

    private final MySQLCluster cluster;
    private final List<Action> actions = new ArrayList<>();
    private final Map<String, Plan.Note> notes = new LinkedHashMap<>();
    private @Nullable ConditionReason phase;
    private Progress progress;
    private boolean isOutOfService;
    private boolean isLast;

    public Draft(Observation seen) {
        cluster = seen.cluster();
        progress = seen.progress();
    }

    /** After those that are there already. */
    public void act(Action... more) {
        actions.addAll(List.of(more));
    }

    public boolean hasActions() {
        return !actions.isEmpty();
    }

    public Progress progress() {
        return progress;
    }

    /** Decides something that can wait until the turn ends to be written down. */
    public void progress(UnaryOperator<Progress> change) {
        progress = change.apply(progress);
    }

    /** Decides something that is written down before what comes after. */
    public void save(UnaryOperator<Progress> change) {
        progress(change);
        act(new Action.Save(progress));
    }

    /** Of what goes on, the first that is said counts. */
    public void phase(@Nullable ConditionReason reason) {
        phase = phase == null ? reason : phase;
    }

    @Nullable
    ConditionReason phase() {
        return phase;
    }

    /** Has a condition give a reason; of several for the same type the first counts. */
    public void note(ConditionReason reason, String message) {
        notes.putIfAbsent(reason.type(), new Plan.Note(reason, message, null));
    }

    /**
     * Notes what needs somebody, with the remedy, and tells of it by an Event when the condition did not give this
     * reason before.
     */
    public void trouble(ConditionReason reason, String event, String action, String message) {
        notes.putIfAbsent(
                reason.type(), new Plan.Note(reason, message, new Action.Tell(cluster, true, event, action, message)));
    }

    /** The same of what needs nobody. */
    public void news(ConditionReason reason, String event, String action, String message) {
        notes.putIfAbsent(
                reason.type(), new Plan.Note(reason, message, new Action.Tell(cluster, false, event, action, message)));
    }

    public void tell(String reason, String action, String note) {
        act(new Action.Tell(cluster, false, reason, action, note));
    }

    public void warn(String reason, String action, String note) {
        act(new Action.Tell(cluster, true, reason, action, note));
    }

    /** No Service is to lead to any member. */
    public void outOfService() {
        isOutOfService = true;
    }

    boolean isOutOfService() {
        return isOutOfService;
    }

    /** When the actions are done, others are to come to act before it is decided again. */
    public void endTurn() {
        isLast = true;
    }

    boolean isLast() {
        return isLast;
    }

    Plan plan() {
        return new Plan(actions, isLast, progress, notes, Optional.ofNullable(phase));
    }
}
