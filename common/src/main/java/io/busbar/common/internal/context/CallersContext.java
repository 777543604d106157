package io.busbar.common.internal.context;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

/** Brings what completes on another context to the one of who waits for it. Any thread. */
public final class CallersContext {

    private CallersContext() {}

    /** Completes as the given one does, on the context from which this is called. */
    public static <T> Future<T> of(Vertx vertx, Future<T> future) {
        Context context = vertx.getOrCreateContext();
        Promise<T> promise = Promise.promise();
        future.onComplete(result -> context.runOnContext(now -> promise.handle(result)));
        return promise.future();
    }
}
