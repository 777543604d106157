package io.busbar.operator.mysqlcluster.report;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.topology.ConditionTypes;
import io.busbar.operator.mysqlcluster.topology.Draft;
import io.busbar.operator.mysqlcluster.topology.Draft.Note;
import java.util.Optional;

/** The conditions of a cluster. Pure; for one thread. */
final class ConditionsReport {

    private final Draft draft;
    private Conditions conditions;

    ConditionsReport(Conditions before, Draft draft) {
        this.conditions = before;
        this.draft = draft;
    }

    /**
     * @param ready members that serve
     * @param wanted members that should
     */
    Conditions of(boolean primaryServes, int ready, int wanted) {
        String count = ready + " of " + wanted + " members serve";
        set(ConditionTypes.AVAILABLE, primaryServes, primaryServes ? "PrimaryServes" : "NoPrimary", count);
        boolean progressing = draft.phase().isPresent() || ready != wanted;
        set(
                ConditionTypes.PROGRESSING,
                progressing,
                draft.noted(ConditionTypes.PROGRESSING)
                        .map(Note::reason)
                        .orElse(draft.phase().orElse(progressing ? "WaitingForMembers" : "AsExpected")),
                draft.noted(ConditionTypes.PROGRESSING).map(Note::message).orElse(count));
        badNews(ConditionTypes.DEGRADED, "AsExpected", "nothing needs attention");
        goodNews(
                ConditionTypes.PRIMARY_READY,
                primaryServes,
                primaryServes ? "Writable" : "NoPrimary",
                primaryServes ? "the primary takes writes" : "there is no primary that takes writes");
        goodNews(
                ConditionTypes.REPLICATION_HEALTHY,
                ready == wanted,
                ready == wanted ? "AllFollow" : "WaitingForMembers",
                count);
        badNews(ConditionTypes.FAILOVER_IN_PROGRESS, "Settled", "the primary stays as it is");
        badNews(ConditionTypes.SCALING_LIMITED, "AsWanted", "the size is what is wanted");
        badNews(ConditionTypes.SPLIT_BRAIN, "OneWritable", "no two members are writable");
        badNews(ConditionTypes.MEMBER_DIVERGED, "OneHistory", "no member has a history of its own");
        draft.noted(ConditionTypes.BACKUP_HEALTHY)
                .ifPresent(note -> set(
                        ConditionTypes.BACKUP_HEALTHY,
                        note.reason().equals("Complete"),
                        note.reason(),
                        note.message()));
        return conditions;
    }

    /** True when something was noted. */
    private void badNews(String type, String reason, String message) {
        Optional<Note> note = type.equals(ConditionTypes.DEGRADED) ? draft.degradation() : draft.noted(type);
        set(
                type,
                note.isPresent(),
                note.map(Note::reason).orElse(reason),
                note.map(Note::message).orElse(message));
    }

    /** False when something was noted. */
    private void goodNews(String type, boolean holds, String reason, String message) {
        Optional<Note> note = draft.noted(type);
        set(
                type,
                note.isEmpty() && holds,
                note.map(Note::reason).orElse(reason),
                note.map(Note::message).orElse(message));
    }

    private void set(String type, boolean status, String reason, String message) {
        conditions = conditions.with(type, status, reason, message);
    }
}
