package io.busbar.reconciler.work;

import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileTask;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.function.Function;

/**
 * Carries out one task at a time, and replies with its outcome.
 *
 * <p>A worker or virtual-thread verticle: the reconciler may block.
 */
final class WorkerVerticle extends VerticleBase {

    private final String address;
    private final Function<ReconcileTask, ReconcileOutcome> work;

    WorkerVerticle(String address, Function<ReconcileTask, ReconcileOutcome> work) {
        this.address = address;
        this.work = work;
    }

    @Override
    public Future<?> start() {
        return vertx.eventBus()
                .<ReconcileTask>localConsumer(address, message -> message.reply(work.apply(message.body())))
                .completion();
    }
}
