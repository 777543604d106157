package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.guard.Guard;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
    /**
     * Milliseconds until keys that could not be collected are collected again; those that are due by then follow at
     * once.
     */
    private static final long RETRY = 10_000;

    private final String controller;
    private final Duration interval;
    private final Callable<List<ObjectKey>> keys;
    private final Consumer<ObjectKey> request;
    private final Guard guard;
    private final long seed = new Random().nextLong();
    private ResyncPlan plan = new ResyncPlan(List.of(), seed);
    private long began;

    ResyncVerticle(
            String controller,
            Duration interval,
            Callable<List<ObjectKey>> keys,
            Consumer<ObjectKey> request,
            Guard guard) {
        this.controller = controller;
        this.guard = guard;
        this.interval = interval;
        this.keys = keys;
        this.request = request;
    }

    /** Completes when the keys were collected for the first time, or could not be: that is tried again. */
    @Override
    public Future<?> start() {
        began = System.nanoTime();
        long tick = Math.min(LONGEST_TICK, Math.max(SHORTEST_TICK, interval.toMillis() / TICKS));
        vertx.setPeriodic(tick, fired -> tick());
        return makePlan();
    }

    private Future<?> makePlan() {
        return vertx.executeBlocking(() -> new ResyncPlan(keys.call(), seed), false)
                .onSuccess(made -> plan = made)
                .otherwise(thrown -> {
                    guard.caught(thrown, Map.of("controller", controller));
                    vertx.setTimer(Math.min(RETRY, Math.max(1, interval.toMillis())), fired -> makePlan());
                    return plan;
                });
    }

    private void tick() {
        double passed = (double) (System.nanoTime() - began) / interval.toNanos();
        plan.due(passed).forEach(key -> guard.run(() -> request.accept(key)));
        if (passed >= 1) {
            began += interval.toNanos();
            makePlan();
        }
    }
}
