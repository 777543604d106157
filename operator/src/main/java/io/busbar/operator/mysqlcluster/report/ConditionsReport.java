package io.busbar.operator.mysqlcluster.report;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.topology.ConditionTypes;
import io.busbar.operator.mysqlcluster.topology.Draft;
import io.busbar.operator.mysqlcluster.topology.Draft.Note;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The conditions of a cluster. Pure; for one thread. */
final class ConditionsReport {

    private final Draft draft;
    private final long generation;
    private final Instant now;
    private List<Condition> conditions;

    ConditionsReport(List<Condition> before, Draft draft, long generation, Instant now) {
        this.conditions = before;
        this.draft = draft;
        this.generation = generation;
        this.now = now;
    }

    /**
     * @param ready members that serve
     * @param wanted members that should
     */
    List<Condition> of(boolean primaryServes, int ready, int wanted) {
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
        conditions = Conditions.with(
                conditions,
                new ConditionBuilder()
                        .withType(type)
                        .withStatus(status ? "True" : "False")
                        .withReason(reason)
                        .withMessage(message)
                        .withObservedGeneration(generation)
                        .build(),
                now);
    }
}
