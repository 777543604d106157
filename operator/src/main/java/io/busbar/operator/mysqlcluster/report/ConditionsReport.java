package io.busbar.operator.mysqlcluster.report;

import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.decide.Plan;
import io.busbar.operator.mysqlcluster.decide.Plan.Note;
import java.util.Optional;

/** The conditions of a cluster. Pure; for one thread. */
final class ConditionsReport {

    private final Plan plan;
    private Conditions conditions;

    ConditionsReport(Conditions before, Plan plan) {
        this.conditions = before;
        this.plan = plan;
    }

    /**
     * @param writesWait why none that it takes is acknowledged
     * @param ready members that serve
     * @param wanted members that should
     */
    Conditions of(boolean primaryServes, Optional<String> writesWait, int ready, int wanted) {
        String count = ready + " of " + wanted + " members serve";
        conditions = writesWait
                .map(why -> conditions.with(ClusterReasons.WRITES_WAIT, why))
                .orElseGet(() -> conditions.with(
                        primaryServes ? ClusterReasons.PRIMARY_SERVES : ClusterReasons.NOT_AVAILABLE, count));
        progress(ready == wanted ? ClusterReasons.SETTLED : ClusterReasons.MISSING_MEMBERS, count);
        conditions = plan.noted(ConditionTypes.DEGRADED)
                .map(note -> conditions.with(note.reason(), note.message()))
                .orElse(conditions.with(ClusterReasons.AS_EXPECTED, "nothing needs attention"));
        tell(
                primaryServes ? ClusterReasons.WRITABLE : ClusterReasons.NO_PRIMARY,
                primaryServes ? "the primary takes writes" : "there is no primary that takes writes");
        tell(ready == wanted ? ClusterReasons.ALL_FOLLOW : ClusterReasons.SOME_DO_NOT_FOLLOW, count);
        tell(ClusterReasons.NO_FAILOVER, "the primary stays as it is");
        tell(ClusterReasons.SIZE_AS_WANTED, "the size is what is wanted");
        tell(ClusterReasons.ONE_WRITABLE, "no two members are writable");
        tell(ClusterReasons.ONE_HISTORY, "no member has a history of its own");
        plan.noted(ConditionTypes.BACKUP_HEALTHY)
                .ifPresent(note -> conditions = conditions.with(note.reason(), note.message()));
        return conditions;
    }

    /** What was noted, else what goes on, else how many members there are. */
    private void progress(ConditionReason otherwise, String count) {
        Optional<Note> note = plan.noted(ConditionTypes.PROGRESSING);
        ConditionReason reason = note.map(Note::reason).or(plan::phase).orElse(otherwise);
        conditions = conditions.with(reason, note.map(Note::message).orElse(count));
    }

    /** What was noted for a condition, else this. */
    private void tell(ConditionReason otherwise, String message) {
        Note note = plan.noted(otherwise.type()).orElse(new Note(otherwise, message, null));
        conditions = conditions.with(note.reason(), note.message());
    }
}
