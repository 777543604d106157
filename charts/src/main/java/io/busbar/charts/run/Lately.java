package io.busbar.charts.run;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What was tried for an instance a moment ago, and need not be tried again while the instance is as it was, before that
 * is {@link ChartReconciler#LATER} ago.
 *
 * <p>Any thread.
 */
final class Lately {

    private final InstantSource clock;
    private final Map<Trial, Instant> tried = new ConcurrentHashMap<>();
    private volatile Instant swept = Instant.MIN;

    private record Trial(String uid, long generation, String what) {}

    Lately(InstantSource clock) {
        this.clock = clock;
    }

    /** @param uid with its generation, of the instance */
    boolean has(String uid, long generation, String what) {
        Instant at = tried.get(new Trial(uid, generation, what));
        return at != null && !isOver(at);
    }

    void note(String uid, long generation, String what) {
        if (isOver(swept)) {
            swept = clock.instant();
            tried.values().removeIf(this::isOver);
        }
        tried.put(new Trial(uid, generation, what), clock.instant());
    }

    private boolean isOver(Instant at) {
        return !at.plus(ChartReconciler.LATER).isAfter(clock.instant());
    }
}
