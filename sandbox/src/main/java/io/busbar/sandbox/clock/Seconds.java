package io.busbar.sandbox.clock;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/** Numbers of seconds in objects. Any thread. */
public final class Seconds {

    private static final long NANOS = 1_000_000_000L;

    private Seconds() {}

    /** As Go's {@code time.Duration} holds them: 64 bits of nanoseconds, so that more than 292 years wrap around. */
    public static Duration of(long seconds) {
        return Duration.ofNanos(seconds * NANOS);
    }

    /** @param seconds zero when it is no number */
    public static Duration of(JsonNode seconds) {
        return of(seconds.asLong());
    }
}
