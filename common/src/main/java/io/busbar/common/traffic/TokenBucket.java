package io.busbar.common.traffic;

/**
 * Hands out turns: {@code burst} at once, then one each {@code 1 / perSecond}.
 *
 * <p>One context.
 */
public final class TokenBucket {

    private static final double NANOS = 1e9;

    private final double perSecond;
    private final int burst;
    /** Below zero: turns that have been promised for later. */
    private double tokens;

    private long countedAt;

    /**
     * @param perSecond above 0
     * @param burst 1 or more
     * @param now nanoseconds of a clock that does not go back
     */
    public TokenBucket(double perSecond, int burst, long now) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.tokens = burst;
        this.countedAt = now;
    }

    /**
     * Takes the next turn, however far off it is.
     *
     * @param now nanoseconds of the same clock
     * @return nanoseconds until it, 0 when it is now
     */
    public long reserve(long now) {
        refill(now);
        tokens -= 1;
        return tokens >= 0 ? 0 : (long) Math.ceil(-tokens / perSecond * NANOS);
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
        tokens = Math.min(burst, tokens + passed * perSecond);
        countedAt = now;
    }
}
