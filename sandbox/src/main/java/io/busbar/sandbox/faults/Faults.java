package io.busbar.sandbox.faults;

import io.vertx.core.Future;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Lets things go wrong in a sandbox that runs.
 *
 * <p>Any thread; futures complete on the sandbox's context, when it has happened: nothing is to block there.
 */
public final class Faults {

    /** The running sandbox. Each part hops to its context. */
    public interface Switches {

        /** Cuts all watches. */
        Future<Void> dropWatches();

        /** Makes all resourceVersions too old. */
        Future<Void> expire();

        /** Begins a lag. */
        Future<InjectedLag> lag(Lag lag);

        /** Ends all lags. */
        Future<Void> release();

        /** Closes the port and all connections. */
        Future<Void> stop();

        /** Listens on the same port as before. */
        Future<Void> start();
    }

    private final FaultPlan plan;
    private final Switches switches;

    /** @param plan which the server asks about each request */
    public Faults(FaultPlan plan, Switches switches) {
        this.plan = plan;
        this.switches = switches;
    }

    /** Plans a fault; the server never asks about a request twice, so it concerns those that begin from now on. */
    public InjectedFault inject(Fault fault) {
        return plan.inject(fault);
    }

    /** Lets what clients see of a kind fall behind. Several at once are as the longest of them. */
    public CompletableFuture<InjectedLag> inject(Lag lag) {
        return stage(switches.lag(lag));
    }

    /** Nothing that was injected happens any more; what lags held back is told once the future completes. */
    public CompletableFuture<Void> clear() {
        plan.clear();
        return stage(switches.release());
    }

    /** Cuts the connections of all watches, in the middle of nowhere: no last event, no proper end. */
    public CompletableFuture<Void> dropWatches() {
        return stage(switches.dropWatches());
    }

    /**
     * Makes every resourceVersion that was handed out until now too old: watches and continued lists that begin from
     * one are answered 410, as after a compaction. Watches that run go on; {@link #dropWatches} makes them begin anew.
     */
    public CompletableFuture<Void> expire() {
        return stage(switches.expire());
    }

    /**
     * Closes the port and cuts all connections. Objects, and time, stay as they are; the simulated parts of the cluster
     * work on.
     */
    public CompletableFuture<Void> stop() {
        return stage(switches.stop());
    }

    /** Listens again on the same port, with all objects. */
    public CompletableFuture<Void> start() {
        return stage(switches.start());
    }

    /**
     * Is away while something is done, as during an upgrade of the API server.
     *
     * @return fails as the work does, or when it cannot listen again
     */
    public <T> CompletableFuture<T> whileStopped(Supplier<? extends CompletionStage<T>> work) {
        return stage(switches.stop()
                .compose(stopped -> Future.fromCompletionStage(work.get()))
                .transform((result, failure) -> switches.start()
                        .compose(started ->
                                failure == null ? Future.succeededFuture(result) : Future.failedFuture(failure))));
    }

    private static <T> CompletableFuture<T> stage(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture();
    }
}
