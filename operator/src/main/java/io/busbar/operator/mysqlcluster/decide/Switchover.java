package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.Progress;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverPhase;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.UpdateStrategy;
import io.busbar.operator.mysqlcluster.v1alpha1.UpdateType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Hands the writes over to another member without losing any. In time, or not at all: then the old primary goes on. As
 * a step it does so for
 * {@code spec.replication.primaryOrdinal}. Pure; any thread.
 *
 * <pre>
 *   old:   no label ─▶ read-only, clients ended ─▶ lock ────────────────────────────────▶ clients ended again ─▶ lock ends
 *   next:                                               has all ─▶ writable ─▶ label ─▶
 * </pre>
 *
 * <p>Clients still get to the old one for a moment after it has lost its label, and {@code read_only} does not stop all
 * of them: what they write waits for the lock, and is never acknowledged.
 */
public final class Switchover implements Step {

    /** After one that failed. */
    private static final Duration PAUSE = Duration.ofMinutes(1);

    @Override
    public Next decide(Observation seen, Draft draft) {
        FailoverStatus at = seen.progress().failover();
        if (seen.memory().begin().failover().phase() == FailoverPhase.Switching
                || at.phase() == FailoverPhase.Switching
                || wasTried(seen)) {
            draft.phase(ClusterReasons.SWITCHING_OVER);
        }
        if (at.phase() == FailoverPhase.Switching) {
            conclude(seen, draft);
            return Next.GO_ON;
        }
        Integer ordinal = seen.spec().replication().primaryOrdinal();
        Member primary = seen.servingPrimary().orElse(null);
        if (ordinal == null || primary == null || primary.ordinal() == ordinal) {
            return Next.GO_ON;
        }
        seen.members().all().stream()
                .filter(member -> member.ordinal() == ordinal && Roles.keepsUp(seen, member))
                .filter(member -> !isToBeReplaced(seen, member))
                .findFirst()
                .ifPresent(next -> begin(seen, draft, next));
        return Next.GO_ON;
    }

    /** A rollout would take the writes away from it at once. */
    private static boolean isToBeReplaced(Observation seen, Member next) {
        UpdateStrategy strategy = seen.spec().updateStrategy();
        String update = seen.statefulSet().getStatus() == null
                ? null
                : seen.statefulSet().getStatus().getUpdateRevision();
        return update != null
                && strategy.type() != UpdateType.OnDelete
                && !strategy.paused()
                && strategy.canary() == null
                && next.ordinal() >= strategy.partition()
                && next.pod()
                        .filter(pod -> !update.equals(ClusterNames.label(pod, ClusterNames.REVISION)))
                        .isPresent();
    }

    /**
     * Whether there was one in this turn, so that members may not keep up just because they had to turn to another
     * primary.
     */
    public static boolean wasTried(Observation seen) {
        return seen.members().all().stream().anyMatch(member -> seen.memory().hasTried(Action.HandOver.class, member));
    }

    /**
     * Hands over to a member that keeps up with the primary, unless that has failed just now.
     *
     * @return whether it is begun
     */
    public static boolean begin(Observation seen, Draft draft, Member next) {
        Member old = seen.servingPrimary().orElseThrow();
        if (hasFailedLately(seen, next)) {
            return false;
        }
        draft.phase(ClusterReasons.SWITCHING_OVER);
        Acknowledgements.expectNoMoreThanRequired(seen, draft);
        Roles.drop(seen, draft, old);
        int count = seen.progress().failover().count();
        String now = seen.now().toString();
        draft.save(progress -> progress.withFailover(
                new FailoverStatus(FailoverPhase.Switching, old.name(), null, next.name(), null, now, count)));
        Progress done = draft.progress().withPrimary(next.name()).at(FailoverPhase.Completed);
        List<Action> whenOpen = new ArrayList<>();
        whenOpen.add(new Action.Save(done));
        whenOpen.addAll(Roles.makePrimary(seen, next));
        draft.act(new Action.HandOver(
                old,
                next,
                seen.spec().replication().acknowledgementsRequired(),
                Duration.ofSeconds(seen.spec().replication().switchTimeoutSeconds()),
                new Action.InOrder(whenOpen)));
        draft.progress(progress -> done);
        tell(draft, old.name(), next.name());
        return true;
    }

    /** Among those that follow closely, the one with the lowest ordinal. */
    public static Optional<Member> successor(Observation seen) {
        return seen.head()
                .flatMap(primary -> seen.members().except(primary).stream()
                        .filter(member -> Roles.keepsUp(seen, member) && !member.isLeaving())
                        .findFirst());
    }

    /**
     * Whether the next one had taken over when the operator ended, or its answer was lost, is seen by whether it is
     * writable.
     */
    private static void conclude(Observation seen, Draft draft) {
        FailoverStatus at = seen.progress().failover();
        Optional<Member> to = seen.members().named(at.to()).filter(Member::isWritable);
        if (to.isPresent()) {
            draft.save(progress -> progress.withPrimary(at.to()).at(FailoverPhase.Completed));
            Roles.makePrimary(seen, to.get()).forEach(draft::act);
            tell(draft, String.valueOf(at.from()), to.get().name());
            return;
        }
        Optional<String> why =
                seen.members().named(at.from()).flatMap(old -> seen.memory().failure(Action.HandOver.class, old));
        if (why.isPresent()) {
            draft.save(progress -> progress.at(FailoverPhase.Failed));
            draft.warn("SwitchoverFailed", "Switchover", at.from() + " stays the primary: " + why.get());
        } else {
            // It was not the member's fault that the operator ended: there is no need to wait before it is tried again.
            draft.save(progress -> progress.withFailover(FailoverStatus.none(at.count())));
        }
    }

    private static void tell(Draft draft, String from, String to) {
        draft.tell("SwitchoverCompleted", "Switchover", "writes go to " + to + " in place of " + from);
        draft.tell("PrimaryElected", "Switchover", to + " is the primary");
    }

    private static boolean hasFailedLately(Observation seen, Member next) {
        FailoverStatus last = seen.progress().failover();
        return last.phase() == FailoverPhase.Failed
                && next.name().equals(last.to())
                && seen.timeSinceSwitchover().compareTo(PAUSE) < 0;
    }
}
