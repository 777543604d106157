package io.busbar.reconciler.work;

import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.common.guard.Guard;
import io.busbar.common.guard.Thrown;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.function.Function;

/**
 * Carries out one task at a time, and replies with its outcome.
 *
 * <p>A worker or virtual-thread verticle: the reconciler may block. There is an outcome whatever is thrown, as without
 * one the key and the worker would wait for ever.
 */
final class WorkerVerticle extends VerticleBase {

    private final String address;
    private final Function<ReconcileTask, ReconcileOutcome> work;
    private final Guard guard;

    WorkerVerticle(String address, Function<ReconcileTask, ReconcileOutcome> work, Guard guard) {
        this.address = address;
        this.work = work;
        this.guard = guard;
    }

    @Override
    public Future<?> start() {
        return vertx.eventBus()
                .<ReconcileTask>localConsumer(
                        address,
                        message -> message.reply(guard.call(
                                () -> work.apply(message.body()),
                                thrown -> ReconcileOutcome.failed(Thrown.text(thrown)))))
                .completion();
    }
}
