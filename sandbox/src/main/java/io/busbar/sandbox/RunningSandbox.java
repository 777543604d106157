package io.busbar.sandbox;

import io.busbar.sandbox.faults.Faults;
import io.busbar.sandbox.faults.InjectedLag;
import io.busbar.sandbox.faults.Lag;
import io.busbar.sandbox.faults.Lags;
import io.busbar.sandbox.http.ApiServer;
import io.busbar.sandbox.http.RequestLog;
import io.busbar.sandbox.server.ControlPlane;
import io.busbar.sandbox.storage.MemoryStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

/**
 * What faults are done to, and reports tell of. Any thread: it hops to the sandbox's context.
 *
 * @param context on which all else runs
 */
record RunningSandbox(
        Context context,
        MemoryStore store,
        ApiServer server,
        RequestLog requests,
        FrontDoor door,
        Lags lags,
        ControlPlane plane)
        implements Faults.Switches {

    /** What happened lately. */
    Future<String> report() {
        return onContext(() -> Future.succeededFuture(new Report(requests.latest(), store).text()));
    }

    /** What works by itself begins nothing any more. */
    Future<Void> stopControllers() {
        return run(plane::stop);
    }

    @Override
    public Future<Void> dropWatches() {
        return run(server::dropWatches);
    }

    @Override
    public Future<Void> expire() {
        return run(store::compact);
    }

    @Override
    public Future<InjectedLag> lag(Lag lag) {
        return onContext(() -> {
            Runnable release = lags.begin(lag);
            return Future.succeededFuture(() -> run(release).toCompletionStage().toCompletableFuture());
        });
    }

    @Override
    public Future<Void> release() {
        return run(lags::release);
    }

    private Future<Void> run(Runnable action) {
        return onContext(() -> {
            action.run();
            return Future.succeededFuture();
        });
    }

    @Override
    public Future<Void> stop() {
        return onContext(door::close);
    }

    @Override
    public Future<Void> start() {
        return onContext(() -> door.open().mapEmpty());
    }

    private <T> Future<T> onContext(Supplier<Future<T>> work) {
        return inTurn(context, work);
    }

    /** Does work in a turn of its own of an event loop, so that others there come before and after it. */
    static <T> Future<T> inTurn(Context context, Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        context.runOnContext(
                turn -> Future.succeededFuture().compose(begun -> work.get()).onComplete(done));
        return done.future();
    }
}
