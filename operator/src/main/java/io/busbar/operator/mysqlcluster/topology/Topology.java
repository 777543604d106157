package io.busbar.operator.mysqlcluster.topology;

import java.util.List;

/** All that is looked after about who is written to and who follows whom, in order. Any thread. */
public final class Topology {

    private final List<Step> steps;

    /**
     * @param seeding what new clusters begin with
     * @param restoring goes before all else: while data is replaced, nothing else may be done
     */
    public Topology(Seeding seeding, Step restoring) {
        steps = List.of(
                restoring,
                new Bootstrap(seeding),
                new Failover(),
                new Switchover(),
                new Upkeep(),
                new Joining(),
                new EventSchedules(),
                new Cloning());
    }

    /**
     * Goes through the steps until one has to be waited for, and labels the Pods.
     *
     * @return whether there is a primary that takes writes
     */
    public boolean keep(Turn turn) throws InterruptedException {
        turn.look();
        boolean whole = true;
        for (Step step : steps) {
            if (step.take(turn) == Step.Next.END_TURN) {
                whole = false;
                break;
            }
        }
        new Roles().take(turn);
        return whole && turn.servingPrimary().isPresent();
    }
}
