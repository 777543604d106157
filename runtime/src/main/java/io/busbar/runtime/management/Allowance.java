package io.busbar.runtime.management;

import java.time.Duration;
import java.util.function.LongSupplier;

/** So many in a second, and some more after a quiet time. One context. */
final class Allowance {

    private static final double NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();

    private final double perSecond;
    private final int burst;
    private final LongSupplier nanos;
    private double left;
    private long then;

    /**
     * @param burst the most that are left after a quiet time
     * @param nanos the time, as {@link System#nanoTime} has it
     */
    Allowance(double perSecond, int burst, LongSupplier nanos) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.nanos = nanos;
        this.left = burst;
        this.then = nanos.getAsLong();
    }

    /** Takes one; false where none is left. */
    boolean take() {
        long now = nanos.getAsLong();
        left = Math.min(burst, left + (now - then) / NANOS_PER_SECOND * perSecond);
        then = now;
        if (left < 1) {
            return false;
        }
        left--;
        return true;
    }
}
