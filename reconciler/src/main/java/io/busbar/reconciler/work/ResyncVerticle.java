package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Requests every key once in each interval, evenly over it.
 *
 * <p>An event-loop verticle. The keys of an interval are those at its beginning; they are collected off the event loop.
 */
final class ResyncVerticle extends VerticleBase {

    private static final long SHORTEST_TICK = 5;
    private static final long LONGEST_TICK = 1000;
    private static final int TICKS = 1000;

    private final Duration interval;
    private final Callable<List<ObjectKey>> keys;
    private final Consumer<ObjectKey> request;
    private final long seed = new Random().nextLong();
    private ResyncPlan plan = new ResyncPlan(List.of(), seed);
    private long began;

    ResyncVerticle(Duration interval, Callable<List<ObjectKey>> keys, Consumer<ObjectKey> request) {
        this.interval = interval;
        this.keys = keys;
        this.request = request;
    }

    @Override
    public Future<?> start() {
        began = System.nanoTime();
        long tick = Math.min(LONGEST_TICK, Math.max(SHORTEST_TICK, interval.toMillis() / TICKS));
        vertx.setPeriodic(tick, fired -> tick());
        return makePlan();
    }

    private Future<?> makePlan() {
        return vertx.executeBlocking(() -> new ResyncPlan(keys.call(), seed), false)
                .onSuccess(made -> plan = made);
    }

    private void tick() {
        double passed = (double) (System.nanoTime() - began) / interval.toNanos();
        plan.due(passed).forEach(request);
        if (passed >= 1) {
            began += interval.toNanos();
            makePlan();
        }
    }
}
