package io.busbar.reconciler.queue;

import io.busbar.common.ObjectKey;
import io.busbar.common.traffic.TokenBucket;
import io.busbar.reconciler.Backoff;
import io.busbar.reconciler.RateLimit;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long a key waits before it is tried again: the longer of its own backoff and the overall limit.
 *
 * <p>One context. Source: client-go's {@code DefaultControllerRateLimiter}.
 */
final class RetryDelays {

    private final Backoff backoff;
    private final TokenBucket overall;
    private final Map<ObjectKey, Streak> streaks = new HashMap<>();

    RetryDelays(Backoff backoff, RateLimit limit, long now) {
        this.backoff = backoff;
        this.overall = new TokenBucket(limit.perSecond(), limit.burst(), now);
    }

    /**
     * @param failed whether this is for a failure, else for a requeue that was asked for
     * @return nanoseconds
     */
    long next(ObjectKey key, boolean failed, long now) {
        Streak streak = streaks.getOrDefault(key, Streak.NONE).longer(failed);
        streaks.put(key, streak);
        return Math.max(backoff.delay(streak.retries()).toNanos(), overall.reserve(now));
    }

    /** Failures in a row. */
    int failures(ObjectKey key) {
        @Nullable Streak streak = streaks.get(key);
        return streak == null ? 0 : streak.failures();
    }

    void forget(ObjectKey key) {
        streaks.remove(key);
    }

    private record Streak(int retries, int failures) {
        static final Streak NONE = new Streak(0, 0);

        Streak longer(boolean failed) {
            return new Streak(retries + 1, failed ? failures + 1 : 0);
        }
    }
}
