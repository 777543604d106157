package io.busbar.reconciler;

/**
 * How many failures and requeues of all of a controller's keys together may run: {@code burst} at once, then
 * {@code perSecond}.
 *
 * <p>Immutable. Source of the standard figures: client-go's default controller rate limiter.
 */
public record RateLimit(double perSecond, int burst) {

    public RateLimit {
        if (!(perSecond > 0) || burst < 1) {
            throw new IllegalArgumentException("not a rate limit: " + perSecond + " per second, burst " + burst
                    + "; allowed: more than 0 per second, burst 1 or more");
        }
    }

    /** 10 a second, 100 at once. */
    public static RateLimit standard() {
        return new RateLimit(10, 100);
    }
}
