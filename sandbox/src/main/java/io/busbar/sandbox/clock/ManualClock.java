package io.busbar.sandbox.clock;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until it is advanced: the time of a sandbox under test.
 *
 * <p>It goes from timer to timer in order of time. Whatever a timer sets off in the sandbox is done before the clock
 * goes on, and before an advance completes, so that a chain of waits (a Job's Pod that runs for a minute, then the
 * Job's time to live) comes out the same each time. Only the sandbox waits by this clock: clients, webhooks, the time
 * limits of requests and watches, and the retry of a write that failed go by real time.
 *
 * <p>Any thread. Several sandboxes may share one.
 */
public final class ManualClock implements InstantSource {

    private final List<ManualTimers> clusters = new CopyOnWriteArrayList<>();
    /** The latest advance: the next one begins after it. */
    private final AtomicReference<Future<Void>> latest = new AtomicReference<>(Future.succeededFuture());

    private volatile Instant now;

    private ManualClock(Instant now) {
        this.now = now;
    }

    /** A clock that shows this time. */
    public static ManualClock at(Instant now) {
        return new ManualClock(now);
    }

    /** A clock that shows the time at which it is made. */
    public static ManualClock atNow() {
        return at(InstantSource.system().instant());
    }

    @Override
    public Instant instant() {
        return now;
    }

    /**
     * Lets time go by.
     *
     * @param time not negative; zero waits for what is under way
     * @return completes when all that was due has been done. Not to be awaited on an event loop
     */
    public CompletableFuture<Void> advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time does not go back: " + time);
        }
        Promise<Void> done = Promise.promise();
        latest.getAndSet(done.future())
                .onComplete(before -> moveTo(now.plus(time)).onComplete(done));
        return done.future().toCompletionStage().toCompletableFuture();
    }

    /** The clock of one sandbox, whose tasks run on a context. It counts until it is closed. */
    public OfCluster on(Context context) {
        ManualTimers timers = new ManualTimers(this, context);
        clusters.add(timers);
        return new OfCluster(timers, () -> clusters.remove(timers));
    }

    /**
     * What one sandbox sees of the clock.
     *
     * @param close lets the clock go on without that sandbox
     */
    public record OfCluster(ClusterClock clock, Runnable close) {}

    private Future<Void> moveTo(Instant target) {
        return next().compose(next -> {
            if (next == null || next.isAfter(target)) {
                now = target;
                return Future.succeededFuture();
            }
            if (next.isAfter(now)) {
                now = next;
            }
            return Future.all(clusters.stream().map(ManualTimers::fire).toList())
                    .compose(fired -> moveTo(target));
        });
    }

    /** When the first timer is due, after all that is under way. */
    private Future<@Nullable Instant> next() {
        List<Future<Optional<Instant>>> each = new ArrayList<>();
        clusters.forEach(cluster -> each.add(cluster.next()));
        return Future.all(each)
                .map(all -> each.stream()
                        .flatMap(next -> next.result().stream())
                        .min(Instant::compareTo)
                        .orElse(null));
    }
}
