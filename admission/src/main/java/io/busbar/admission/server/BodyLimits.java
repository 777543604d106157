package io.busbar.admission.server;

import java.time.Duration;

/**
 * How large the bodies of requests may be, and how long they may take to arrive.
 *
 * <p>Immutable; methods return a changed copy.
 *
 * @param most bytes of one body; larger ones are answered 413
 * @param together bytes that all bodies take that have not arrived yet; a quarter is for the beginnings of bodies,
 *     which no large one can take. Where there is no room left, the request that has been arriving for longest is
 *     answered 503
 * @param timeout for a body to arrive, where the request names none; what a request names is capped at {@link #LONGEST}
 * @param stall how long a body may be quiet before it is answered 408
 */
public record BodyLimits(int most, long together, Duration timeout, Duration stall) {

    /** Kubernetes' own limit for the timeout of a webhook. */
    static final Duration LONGEST = Duration.ofSeconds(30);

    private static final int MIB = 1024 * 1024;

    public BodyLimits {
        if (most < 1) {
            throw new IllegalArgumentException("most bytes of a body: " + most + ", allowed: 1 or more");
        }
        if (together < 1) {
            throw new IllegalArgumentException("bytes of all bodies together: " + together + ", allowed: 1 or more");
        }
    }

    /**
     * 7 MiB for one, an eighth of the heap for all (no less than four times that of one), 10 s to arrive, 5 s to stall.
     */
    public static BodyLimits defaults() {
        int most = 7 * MIB;
        return new BodyLimits(
                most,
                Math.max(4L * most, Runtime.getRuntime().maxMemory() / 8),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5));
    }

    public BodyLimits withTogether(long bytes) {
        return new BodyLimits(most, bytes, timeout, stall);
    }

    public BodyLimits within(Duration newTimeout, Duration newStall) {
        return new BodyLimits(most, together, newTimeout, newStall);
    }
}
