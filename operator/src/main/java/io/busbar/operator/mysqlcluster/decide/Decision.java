package io.busbar.operator.mysqlcluster.decide;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.observe.Observation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to be done about a cluster as it is seen. Pure; any thread. */
public final class Decision {

    private final List<Step> steps;
    private final List<Step> changes;
    private final List<Step> whileFollowing;
    private final Step health;

    /**
     * @param seeding what new clusters begin with
     * @param restoring goes before all else: while data is replaced, nothing else may be done
     * @param changes what is done only to a cluster whose primary serves
     * @param whileFollowing what is done instead to one whose primary follows a server outside
     * @param health notes what is wrong with members
     */
    public Decision(Seeding seeding, Step restoring, List<Step> changes, List<Step> whileFollowing, Step health) {
        this.steps = List.of(
                new Introduction(),
                restoring,
                new Bootstrap(seeding),
                new Failover(),
                new Switchover(),
                new Following(),
                new Upkeep(),
                new Acknowledgements(),
                new Joining(),
                new EventSchedules(),
                new Cloning());
        this.changes = List.copyOf(changes);
        this.whileFollowing = List.copyOf(whileFollowing);
        this.health = health;
    }

    /**
     * Goes through the steps until one has something to be done, or to be waited for. Pods are labelled when there is
     * nothing else to be done about who is the primary.
     */
    public Plan decide(Observation seen) {
        Draft draft = new Draft(seen);
        boolean mayGoOn = take(steps, seen, draft);
        if (!draft.hasActions()) {
            new Roles().decide(seen, draft);
        }
        boolean isWhole = mayGoOn && seen.head().isPresent();
        if (isWhole && !draft.hasActions()) {
            List<Step> allowed = seen.isMigrating() ? whileFollowing : changes;
            take(allowed, seen, draft);
            if (draft.isLast()) {
                allowed.forEach(step -> draft.phase(phaseOf(step, seen)));
            }
        }
        if (draft.progress().targetSize() == 0) {
            draft.progress(progress -> progress.withTargetSize(seen.replicas()));
        }
        health.decide(seen, draft);
        seen.obstacle().ifPresent(obstacle -> draft.note(obstacle.reason(), obstacle.message()));
        return draft.plan();
    }

    /** What goes on by a step, whether or not the actions of another one came first in this turn; null for nothing. */
    private static @Nullable ConditionReason phaseOf(Step step, Observation seen) {
        Draft alone = new Draft(seen);
        step.decide(seen, alone);
        return alone.phase();
    }

    /** @return whether nothing has to be waited for */
    private static boolean take(List<Step> steps, Observation seen, Draft draft) {
        for (Step step : steps) {
            if (step.decide(seen, draft) == Step.Next.END_TURN) {
                return false;
            }
            if (draft.hasActions()) {
                return true;
            }
        }
        return true;
    }
}
