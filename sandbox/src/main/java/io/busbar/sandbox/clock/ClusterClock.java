package io.busbar.sandbox.clock;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The time of one cluster, and the timers of its simulated parts.
 *
 * <p>The time may be read on any thread; all else belongs to one context, the API server's own, on which tasks run.
 */
public interface ClusterClock extends InstantSource {

    /**
     * Runs a task once, when an amount of this clock's time has passed.
     *
     * @return cancels the task when run; does nothing after the task
     */
    Runnable after(Duration wait, Runnable task);

    /**
     * Tells that something is under way that is to be over before this clock goes on, should somebody move it by hand.
     *
     * @return tells that it is over; to be run once
     */
    default Runnable working() {
        return () -> {};
    }

    /** The system's time. */
    static ClusterClock system(Vertx vertx) {
        return of(vertx, InstantSource.system());
    }

    /** Timers in real time, timestamps by some other source. */
    static ClusterClock of(Vertx vertx, InstantSource time) {
        return new ClusterClock() {
            @Override
            public Instant instant() {
                return time.instant();
            }

            @Override
            public Runnable after(Duration wait, Runnable task) {
                // Not before its time: who is woken looks whether that has come.
                long millis = wait.plusMillis(1).minusNanos(1).toMillis();
                long timer = vertx.setTimer(Math.max(1, millis), id -> task.run());
                return () -> vertx.cancelTimer(timer);
            }
        };
    }
}
