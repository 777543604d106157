package io.busbar.watcher.reflect;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * How long to wait before the next try: doubling, with jitter, and from the start again after a healthy while.
 *
 * <p>One context.
 */
final class Backoff {

    private static final double JITTER = 0.25;

    private final ReflectorOptions options;
    private final LongSupplier nanos;
    private final DoubleSupplier random;
    private long nextNanos;
    private long lastFailure;

    /**
     * @param nanos a monotonic clock
     * @param random from 0 to 1
     */
    Backoff(ReflectorOptions options, LongSupplier nanos, DoubleSupplier random) {
        this.options = options;
        this.nanos = nanos;
        this.random = random;
        this.nextNanos = options.firstDelay().toNanos();
    }

    /** The wait after one more failure: a quarter more or less than its step, never above the longest. */
    Duration afterFailure() {
        long now = nanos.getAsLong();
        if (now - lastFailure > options.healthyAfter().toNanos()) {
            nextNanos = options.firstDelay().toNanos();
        }
        lastFailure = now;
        long max = options.maxDelay().toNanos();
        long wait = (long) (nextNanos * (1 - JITTER + 2 * JITTER * random.getAsDouble()));
        nextNanos = Math.min(max, 2 * nextNanos);
        return Duration.ofNanos(Math.min(max, wait));
    }
}
