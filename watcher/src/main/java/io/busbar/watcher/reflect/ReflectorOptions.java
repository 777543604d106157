package io.busbar.watcher.reflect;

import java.time.Duration;

/**
 * How lists and watches are kept going.
 *
 * <p>Immutable. The standard values are client-go's where it has them.
 *
 * @param pageSize objects a page of a list
 * @param streamingLists whether to ask for a streaming list first, where a server may have it
 * @param firstDelay before the first retry; each further one waits twice as long
 * @param maxDelay the longest wait
 * @param healthyAfter without a failure for so long, waits begin anew with the first
 * @param shortStream a watch that ended sooner counts as failed, and is not resumed without a wait
 * @param minWatch the shortest that a watch asks to last; each draws its own time
 * @param maxWatch the longest
 * @param listSilence a list that says nothing for so long is given up
 * @param watchSilence a watch that has had bookmarks, and then says nothing for so long, is given up
 */
public record ReflectorOptions(
        int pageSize,
        boolean streamingLists,
        Duration firstDelay,
        Duration maxDelay,
        Duration healthyAfter,
        Duration shortStream,
        Duration minWatch,
        Duration maxWatch,
        Duration listSilence,
        Duration watchSilence) {

    public ReflectorOptions {
        if (pageSize < 1) {
            throw new IllegalArgumentException("page size " + pageSize + ", allowed: 1 or more");
        }
        if (firstDelay.isNegative() || firstDelay.isZero() || maxDelay.compareTo(firstDelay) < 0) {
            throw new IllegalArgumentException(
                    "delays from " + firstDelay + " to " + maxDelay + ", allowed: above zero, ascending");
        }
        if (minWatch.toSeconds() < 1 || maxWatch.compareTo(minWatch) < 0) {
            throw new IllegalArgumentException(
                    "watches of " + minWatch + " to " + maxWatch + ", allowed: 1 s or more, ascending");
        }
    }

    /** Pages of 500, streaming lists, retries after 0.8 to 30 s, watches of 5 to 10 min. */
    public static ReflectorOptions standard() {
        return new ReflectorOptions(
                500,
                true,
                Duration.ofMillis(800),
                Duration.ofSeconds(30),
                Duration.ofMinutes(2),
                Duration.ofSeconds(1),
                Duration.ofMinutes(5),
                Duration.ofMinutes(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(150));
    }
}
