package io.busbar.reconciler.queue;

import io.busbar.reconciler.RateLimit;

/**
 * Hands out turns: {@code burst} at once, then one each {@code 1 / perSecond}.
 *
 * <p>One context.
 */
public final class TokenBucket {

    private static final double NANOS = 1e9;

    private final RateLimit limit;
    /** Below zero: turns that have been promised for later. */
    private double tokens;

    private long countedAt;

    public TokenBucket(RateLimit limit, long now) {
        this.limit = limit;
        this.tokens = limit.burst();
        this.countedAt = now;
    }

    /**
     * Takes the next turn, however far off it is.
     *
     * @param now nanoseconds of a clock that does not go back
     * @return nanoseconds until it, 0 when it is now
     */
    long reserve(long now) {
        refill(now);
        tokens -= 1;
        return tokens >= 0 ? 0 : (long) Math.ceil(-tokens / limit.perSecond() * NANOS);
    }

    /** Takes a turn if there is one now. */
    public boolean tryTake(long now) {
        refill(now);
        if (tokens < 1) {
            return false;
        }
        tokens -= 1;
        return true;
    }

    private void refill(long now) {
        double passed = Math.max(0, now - countedAt) / NANOS;
        tokens = Math.min(limit.burst(), tokens + passed * limit.perSecond());
        countedAt = now;
    }
}
