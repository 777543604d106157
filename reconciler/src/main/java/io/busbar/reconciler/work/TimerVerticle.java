package io.busbar.reconciler.work;

import io.busbar.common.guard.Guard;
import io.busbar.reconciler.source.TimerSource;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Does something at each time of a timer. A time that is over when the one before is done is left out.
 *
 * <p>An event-loop verticle; what is done runs on a worker thread. The clock is looked at once a minute, since it may
 * be set and the machine may sleep.
 */
final class TimerVerticle extends VerticleBase {

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final TimerSource source;
    private final InstantSource clock;
    private final Runnable action;
    private final Guard guard;

    TimerVerticle(TimerSource source, InstantSource clock, Runnable action, Guard guard) {
        this.source = source;
        this.clock = clock;
        this.action = action;
        this.guard = guard;
    }

    @Override
    public Future<?> start() {
        Instant now = clock.instant();
        await(next(now, now));
        return Future.succeededFuture();
    }

    /** The first after a time that is not over now. A function that fails is asked again a minute later. */
    private Optional<Instant> next(Instant after, Instant now) {
        return guard.call(
                () -> {
                    Optional<Instant> next = later(after);
                    return next.isPresent() && !next.get().isAfter(now) ? later(now) : next;
                },
                thrown -> Optional.of(now.plus(LONGEST_WAIT)));
    }

    private Optional<Instant> later(Instant after) {
        Optional<Instant> next = source.next().apply(after);
        if (next.isPresent() && !next.get().isAfter(after)) {
            throw new IllegalStateException("event source " + source.name() + ": " + next.get()
                    + " is not allowed after " + after + "; allowed: a later time, or none");
        }
        return next;
    }

    private void await(Optional<Instant> time) {
        time.ifPresent(this::await);
    }

    private void await(Instant due) {
        Duration left = Duration.between(clock.instant(), due);
        if (left.compareTo(LONGEST_WAIT) > 0) {
            vertx.setTimer(LONGEST_WAIT.toMillis(), fired -> await(due));
        } else {
            vertx.setTimer(Math.max(1, left.toMillis()), fired -> act(due));
        }
    }

    private void act(Instant due) {
        vertx.executeBlocking(() -> guard.run(action), false).onComplete(done -> await(next(due, clock.instant())));
    }
}
