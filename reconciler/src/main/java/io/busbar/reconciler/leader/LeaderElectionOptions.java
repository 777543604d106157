package io.busbar.reconciler.leader;

import io.busbar.common.ObjectKey;
import java.time.Duration;

/**
 * How replicas elect a leader.
 *
 * <p>Immutable.
 *
 * <p>The others count the lease's duration on their clocks, the leader its deadline on its own. The first is at least
 * 1.1 times the second: clocks that go wrong by 1 % each, in opposite directions, take 1.021 of that; the rest is for
 * requests that have passed the fence and are still on their way to the API server.
 *
 * @param lease that they compete for; its namespace must exist
 * @param leaseDuration how long the others wait, since they last saw a renewal, before one of them takes over
 * @param renewDeadline how long a leader may write, since it began its last successful renewal
 * @param retryPeriod between attempts
 * @param candidacy how this replica regards others
 */
public record LeaderElectionOptions(
        ObjectKey lease, Duration leaseDuration, Duration renewDeadline, Duration retryPeriod, Candidacy candidacy) {

    /** How a replica regards others that want the lease. */
    public enum Candidacy {
        /** It waits for its turn. */
        ELECTED,
        /**
         * It takes the lease from one that holds it and is well; that one, and all other replicas, stand by until this
         * one ends or dies.
         */
        TAKES_OVER,
        /**
         * It is meant to be the only one: it warns when it finds another, writes nothing then, and waits. Alone it
         * needs nobody's leave: where it may not hold a lease, it writes without one, and once it could not renew its
         * lease in time it goes on as soon as it can, unless another has held the lease since.
         */
        ALONE,
        /**
         * The same in a Pod, whose name no other process has while this one runs: a lease that is held in its name is
         * that of a process which has ended.
         */
        ALONE_IN_POD;

        /** Whether it is meant to be the only one. */
        public boolean isAlone() {
            return this == ALONE || this == ALONE_IN_POD;
        }
    }

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
            throw new IllegalArgumentException("retryPeriod: " + retryPeriod + ", allowed: more than 0");
        }
        if (!leavesTimeToRetry(renewDeadline, retryPeriod)) {
            throw new IllegalArgumentException("renewDeadline: " + renewDeadline + ", allowed: more than " + JITTER
                    + " times retryPeriod, which is " + retryPeriod);
        }
        if (!outlasts(leaseDuration, renewDeadline)) {
            throw new IllegalArgumentException("leaseDuration: " + leaseDuration
                    + ", allowed: at least 1.1 times renewDeadline, which is " + renewDeadline);
        }
    }

    /** Of a replica that takes nothing from a leader that is well. */
    public LeaderElectionOptions(
            ObjectKey lease, Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
        this(lease, leaseDuration, renewDeadline, retryPeriod, Candidacy.ELECTED);
    }

    /** The same of one that regards others in another way. */
    public LeaderElectionOptions as(Candidacy other) {
        return new LeaderElectionOptions(lease, leaseDuration, renewDeadline, retryPeriod, other);
    }

    /** Whether it takes the lead from whoever has it. */
    public boolean takesOver() {
        return candidacy == Candidacy.TAKES_OVER;
    }

    /** Whether a deadline is more than 1.2 retry periods. */
    public static boolean leavesTimeToRetry(Duration renewDeadline, Duration retryPeriod) {
        return renewDeadline.toNanos() > retryPeriod.toNanos() * JITTER;
    }

    /** Whether a lease is at least 1.1 times as long as a deadline. */
    public static boolean outlasts(Duration leaseDuration, Duration renewDeadline) {
        return leaseDuration.multipliedBy(10).compareTo(renewDeadline.multipliedBy(11)) >= 0;
    }

    /** The lease's duration as the API has it, in whole seconds: rounded up, as a takeover too early would be worse. */
    int leaseSeconds() {
        return Math.toIntExact(leaseDuration.plusNanos(999_999_999).toSeconds());
    }
}
