package io.busbar.operator.mysqlcluster.act;

import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.Decision;
import io.busbar.operator.mysqlcluster.decide.Plan;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.observe.Fleet;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.Observer;
import io.busbar.operator.mysqlcluster.observe.Remembered;
import io.busbar.operator.mysqlcluster.report.StatusReport;
import io.busbar.operator.mysqlcluster.scale.Autoscaler;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.ReconcileContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a cluster, decides, acts, and looks again, until there is nothing left to be done; then it writes what there
 * is to tell. For the thread of one reconcile, which waits.
 */
public final class Turn {

    private static final Logger log = LoggerFactory.getLogger(Turn.class);

    /** More than any turn needs; so a decision that undoes another cannot go on for ever. */
    private static final int MOST_ROUNDS = 60;

    private final ReconcileContext<MySQLCluster> context;
    private final Fleet fleet;
    private final Observer observer;
    private final Decision decision;
    private final StatusReport report;
    private final Autoscaler autoscaler;
    private final Passwords passwords;
    private final PerCluster<Remembered> memories;

    /**
     * @param memories what is kept from turn to turn
     */
    public Turn(
            ReconcileContext<MySQLCluster> context,
            Fleet fleet,
            Observer observer,
            Decision decision,
            StatusReport report,
            Autoscaler autoscaler,
            Passwords passwords,
            PerCluster<Remembered> memories) {
        this.context = context;
        this.fleet = fleet;
        this.observer = observer;
        this.decision = decision;
        this.report = report;
        this.autoscaler = autoscaler;
        this.passwords = passwords;
        this.memories = memories;
    }

    /**
     * What has come of a turn.
     *
     * <p>Immutable.
     *
     * @param plan by which nothing is left to be done
     */
    public record End(Observation seen, Plan plan) {

        /** Whether something is under way, so that the cluster is to be looked at again soon. */
        public boolean isUnderWay() {
            return plan.phase().isPresent() || plan.progress().primaryFailingSince() != null;
        }
    }

    public End take(Observation begin) throws InterruptedException {
        remember(begin);
        Observation seen = begin;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Plan plan = decision.decide(seen);
            if (plan.actions().isEmpty()) {
                return end(seen.with(plan.progress()), plan);
            }
            Executor executor = executor(seen, plan);
            boolean isDone = executor.performAll();
            seen = observer.lookAgain(executor.seen(), executor.touched());
            if (isDone) {
                seen = seen.with(plan.progress());
            }
            if (plan.isLast()) {
                return end(seen, plan);
            }
        }
        log.atWarn().log("there was still something to be done after {} rounds; the next turn goes on", MOST_ROUNDS);
        return end(seen, decision.decide(seen));
    }

    private End end(Observation seen, Plan plan) {
        Executor executor = executor(seen, plan);
        executor.save(new Action.Save(seen.progress()));
        remember(executor.seen());
        return new End(executor.seen(), plan);
    }

    /** Since when this operator has seen what holds, also what it has only just decided. */
    private void remember(Observation seen) {
        memories.remember(
                seen.cluster(), seen.memory().remembered().sighting(seen), context.lister(MySQLCluster.class));
    }

    private Executor executor(Observation seen, Plan plan) {
        return new Executor(context, fleet, report, autoscaler, passwords, memories, seen, plan);
    }
}
