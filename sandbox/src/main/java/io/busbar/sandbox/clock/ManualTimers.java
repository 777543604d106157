package io.busbar.sandbox.clock;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * What waits in one sandbox for a {@link ManualClock}.
 *
 * <p>One context, but for {@link #instant}, {@link #next} and {@link #fire}, which hop to it.
 */
final class ManualTimers implements ClusterClock {

    private record Timer(Instant due, long number, Runnable task) {}

    private final ManualClock clock;
    private final Context context;
    private final Queue<Timer> timers =
            new PriorityQueue<>(Comparator.comparing(Timer::due).thenComparing(Timer::number));
    private final List<Promise<Void>> waitingForQuiet = new ArrayList<>();
    private long timersSet;
    private int underWay;

    ManualTimers(ManualClock clock, Context context) {
        this.clock = clock;
        this.context = context;
    }

    @Override
    public Instant instant() {
        return clock.instant();
    }

    @Override
    public Runnable after(Duration wait, Runnable task) {
        Timer timer = new Timer(clock.instant().plus(wait), timersSet++, task);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    @Override
    public Runnable working() {
        underWay++;
        return () -> {
            underWay--;
            if (underWay == 0) {
                context.runOnContext(turn -> announceQuiet());
            }
        };
    }

    /** When the first timer is due, asked when nothing is under way. */
    Future<Optional<Instant>> next() {
        return onContext(this::quiet)
                .map(quiet -> Optional.ofNullable(timers.peek()).map(Timer::due));
    }

    /** Runs what is due. */
    Future<Void> fire() {
        return onContext(() -> {
            while (!timers.isEmpty() && !timers.element().due().isAfter(clock.instant())) {
                timers.remove().task().run();
            }
            return Future.succeededFuture();
        });
    }

    private Future<Void> quiet() {
        Promise<Void> quiet = Promise.promise();
        waitingForQuiet.add(quiet);
        context.runOnContext(turn -> announceQuiet());
        return quiet.future();
    }

    private void announceQuiet() {
        if (underWay == 0) {
            List<Promise<Void>> waiting = List.copyOf(waitingForQuiet);
            waitingForQuiet.clear();
            waiting.forEach(Promise::complete);
        }
    }

    private <T> Future<T> onContext(Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        context.runOnContext(turn -> work.get().onComplete(done));
        return done.future();
    }
}
