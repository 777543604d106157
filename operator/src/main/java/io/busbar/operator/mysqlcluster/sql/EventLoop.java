package io.busbar.operator.mysqlcluster.sql;

import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Where all connections live: a context of their own, so that whoever waits for them does not wait for itself.
 *
 * <p>Any thread but an event loop's.
 */
final class EventLoop {

    private final Promise<Context> context = Promise.promise();

    EventLoop(Vertx vertx) {
        Deployable nothingButAContext = its -> {
            context.complete(its);
            return Future.succeededFuture();
        };
        vertx.deployVerticle(nothingButAContext).onFailure(context::tryFail);
    }

    /** Does it there, and waits here. */
    <T> T await(Function<Context, Future<T>> work, Duration patience)
            throws ExecutionException, TimeoutException, InterruptedException {
        if (Context.isOnEventLoopThread()) {
            throw new IllegalStateException("this blocks, and is not for an event loop");
        }
        CompletableFuture<T> done = new CompletableFuture<>();
        long deadline = System.nanoTime() + patience.toNanos();
        Context there = context().get(patience.toNanos(), TimeUnit.NANOSECONDS);
        there.runOnContext(
                nothing -> Future.<T>future(promise -> work.apply(there).onComplete(promise))
                        .onComplete(done::complete, done::completeExceptionally));
        return done.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private CompletableFuture<Context> context() {
        return context.future().toCompletionStage().toCompletableFuture();
    }

    /** Does it there, some time. */
    void run(Consumer<Context> work) {
        context.future().onSuccess(there -> there.runOnContext(nothing -> work.accept(there)));
    }
}
