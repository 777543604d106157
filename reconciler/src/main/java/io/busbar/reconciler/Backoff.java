package io.busbar.reconciler;

import java.time.Duration;

/**
 * How long a key waits after failures in a row: {@code initial · 2ⁿ}, at most {@code maximum}.
 *
 * <p>Immutable. Source of the standard figures: client-go's default controller rate limiter.
 */
public record Backoff(Duration initial, Duration maximum) {

    /** 1 ms doubled so often is 34 years. */
    private static final int MOST_DOUBLINGS = 40;

    public Backoff {
        if (initial.isNegative() || initial.isZero() || maximum.compareTo(initial) < 0) {
            throw new IllegalArgumentException(
                    "not a backoff: initial " + initial + ", maximum " + maximum + "; allowed: 0 < initial ≤ maximum");
        }
    }

    /** From 5 ms to 1000 s. */
    public static Backoff standard() {
        return new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));
    }

    /**
     * @param failures in a row, at least 1
     */
    public Duration delay(int failures) {
        int doublings = Math.min(failures - 1, MOST_DOUBLINGS);
        Duration delay = initial.multipliedBy(1L << doublings);
        return delay.compareTo(maximum) > 0 ? maximum : delay;
    }
}
