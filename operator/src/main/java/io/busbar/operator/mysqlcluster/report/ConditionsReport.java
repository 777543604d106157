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
     * @param archives whether binary logs are to be archived
     */
    Conditions of(boolean primaryServes, Optional<String> writesWait, int ready, int wanted, boolean archives) {
        String count = ready + " of " + wanted + " members serve";
        conditions = writesWait
                .map(why -> conditions.with(ClusterReasons.WRITES_WAIT, why))
                .orElseGet(() -> conditions.with(
                        primaryServes ? ClusterReasons.PRIMARY_SERVES : ClusterReasons.NOT_AVAILABLE, count));
        progress(ready == wanted ? ClusterReasons.SETTLED : ClusterReasons.MISSING_MEMBERS, count);
        tellUnlessNoted(ClusterReasons.AS_EXPECTED, "nothing needs attention");
        tellWhatIs(
                primaryServes ? ClusterReasons.WRITABLE : ClusterReasons.NO_PRIMARY,
                primaryServes ? "the primary takes writes" : "there is no primary that takes writes");
        tellWhatIs(ready == wanted ? ClusterReasons.ALL_FOLLOW : ClusterReasons.SOME_DO_NOT_FOLLOW, count);
        tellUnlessNoted(ClusterReasons.NO_FAILOVER, "the primary stays as it is");
        tellUnlessNoted(ClusterReasons.PASSWORDS_IN_PLACE, "servers let in with the passwords in the Secret alone");
        tellUnlessNoted(ClusterReasons.SIZE_AS_WANTED, "the size is what is wanted");
        tellUnlessNoted(ClusterReasons.ONE_WRITABLE, "no two members are writable");
        tellUnlessNoted(ClusterReasons.ONE_HISTORY, "no member has a history of its own");
        plan.noted(ConditionTypes.BACKUP_HEALTHY)
                .ifPresent(note -> conditions = conditions.with(note.reason(), note.message()));
        conditions = archives ? conditions : conditions.without(ConditionTypes.ARCHIVED);
        plan.noted(ConditionTypes.ARCHIVED)
                .ifPresent(note -> conditions = conditions.with(note.reason(), note.message()));
        plan.noted(ConditionTypes.MIGRATING)
                .ifPresent(note -> conditions = conditions.with(note.reason(), note.message()));
        plan.noted(ConditionTypes.CERTIFICATE_READY)
                .ifPresent(note -> conditions = conditions.with(note.reason(), note.message()));
        return conditions;
    }

    /** What was noted, else what goes on, else how many members there are. */
    private void progress(ConditionReason otherwise, String count) {
        Optional<Note> note = plan.noted(ConditionTypes.PROGRESSING);
        Optional<ConditionReason> reason = note.map(Note::reason).or(plan::phase);
        if (reason.isPresent() || !stays(otherwise)) {
            conditions = conditions.with(
                    reason.orElse(otherwise), note.map(Note::message).orElse(count));
        }
    }

    /** What was noted for a condition, else what is seen. */
    private void tellWhatIs(ConditionReason seen, String message) {
        boolean isSame = conditions
                .find(seen.type())
                .filter(before -> before.getStatus().equals(seen.status().text()))
                .isPresent();
        tell(seen, message, isSame && stays(seen));
    }

    /** What was noted for a condition, else that there is nothing. */
    private void tellUnlessNoted(ConditionReason nothing, String message) {
        tell(nothing, message, stays(nothing));
    }

    private void tell(ConditionReason otherwise, String message, boolean stays) {
        Optional<Note> note = plan.noted(otherwise.type());
        if (note.isPresent() || !stays) {
            conditions = conditions.with(
                    note.map(Note::reason).orElse(otherwise),
                    note.map(Note::message).orElse(message));
        }
    }

    /** Where nothing was noted for a condition because it was not got so far yet, it says what it said. */
    private boolean stays(ConditionReason otherwise) {
        return plan.isDecidedAgain() && conditions.find(otherwise.type()).isPresent();
    }
}
