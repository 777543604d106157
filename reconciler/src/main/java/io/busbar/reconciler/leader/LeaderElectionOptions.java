package io.busbar.reconciler.leader;

import io.busbar.common.ObjectKey;
import java.time.Duration;

/**
 * How replicas elect a leader.
 *
 * <p>Immutable.
 *
 * @param lease that they compete for; its namespace must exist
 * @param leaseDuration how long the others wait, since they last saw a renewal, before one of them takes over
 * @param renewDeadline how long a leader may write, since it began its last successful renewal
 * @param retryPeriod between attempts
 */
public record LeaderElectionOptions(
        ObjectKey lease, Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

    /** By how much client-go lets waits vary, and so demands of the deadline. */
    private static final double JITTER = 1.2;

    /** 15 s, 10 s and 2 s, as client-go has them. */
    public static LeaderElectionOptions of(ObjectKey lease) {
        return new LeaderElectionOptions(lease, Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
    }

    /**
     * @throws IllegalArgumentException when the durations don't follow on one another
     */
    public LeaderElectionOptions {
        if (retryPeriod.isNegative() || retryPeriod.isZero()) {
            throw new IllegalArgumentException("retryPeriod: " + retryPeriod);
        }
        if (!leavesTimeToRetry(renewDeadline, retryPeriod)) {
            throw new IllegalArgumentException("renewDeadline: " + renewDeadline + ", retryPeriod: " + retryPeriod);
        }
        if (leaseDuration.compareTo(renewDeadline) <= 0) {
            throw new IllegalArgumentException("leaseDuration: " + leaseDuration + ", renewDeadline: " + renewDeadline);
        }
    }

    /** Whether a deadline is more than 1.2 retry periods. */
    public static boolean leavesTimeToRetry(Duration renewDeadline, Duration retryPeriod) {
        return renewDeadline.toNanos() > retryPeriod.toNanos() * JITTER;
    }

    /** The lease's duration as the API has it, in whole seconds: rounded up, as a takeover too early would be worse. */
    int leaseSeconds() {
        return Math.toIntExact(leaseDuration.plusNanos(999_999_999).toSeconds());
    }
}
