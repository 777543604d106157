package io.busbar.charts.run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which version the cluster is of, asked for again from time to time: it may be upgraded while the operator runs.
 *
 * <p>Any thread; blocks where it asks.
 */
final class ClusterVersion {

    static final Duration FRESH = Duration.ofMinutes(10);

    private final InstantSource clock;
    private volatile @Nullable Answer last;

    private record Answer(String version, Instant until) {}

    ClusterVersion(InstantSource clock) {
        this.clock = clock;
    }

    /** @param asked has the API server tell; what it throws is thrown */
    String get(Supplier<String> asked) {
        Answer known = last;
        if (known == null || !clock.instant().isBefore(known.until())) {
            known = new Answer(asked.get(), clock.instant().plus(FRESH));
            last = known;
        }
        return known.version();
    }
}
