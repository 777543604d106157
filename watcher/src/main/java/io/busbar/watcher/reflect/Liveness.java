package io.busbar.watcher.reflect;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows when a request has been silent for too long: a connection can die without either side being told.
 *
 * <p>One context; {@link #staleness()} is for any thread.
 */
final class Liveness {

    /** What a watch may last longer than it asked for. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final ReflectorOptions options;
    private final LongSupplier nanos;
    private volatile long lastSign;
    private long begun;
    private long lifetime;
    private boolean answered;
    private boolean bookmarked;

    Liveness(ReflectorOptions options, LongSupplier nanos) {
        this.options = options;
        this.nanos = nanos;
        this.lastSign = nanos.getAsLong();
    }

    /** A request is sent. */
    void begin(Duration asked) {
        begun = nanos.getAsLong();
        lifetime = asked.toNanos();
        answered = false;
        bookmarked = false;
    }

    /** The server has said something. */
    void sign() {
        answered = true;
        lastSign = nanos.getAsLong();
    }

    /** The server sends bookmarks on this watch, about once a minute, so it will not be silent for long. */
    void bookmark() {
        bookmarked = true;
    }

    boolean answered() {
        return answered;
    }

    /** Whether so little time has passed since the request that another must not follow at once. */
    boolean tooShort() {
        return nanos.getAsLong() - begun < options.shortStream().toNanos();
    }

    /** Time since the last sign of this or any earlier request. */
    Duration staleness() {
        return Duration.ofNanos(nanos.getAsLong() - lastSign);
    }

    /** Why the request should be given up; null if it should not. */
    @Nullable
    String verdict(Phase phase) {
        long now = nanos.getAsLong();
        long silence = now - Math.max(begun, lastSign);
        if (phase != Phase.WATCHING || !answered) {
            return longer(silence, options.listSilence(), "no sign of life for ");
        }
        return now - begun > lifetime + GRACE.toNanos()
                ? "the watch did not end when it should have"
                : bookmarked ? longer(silence, options.watchSilence(), "no bookmark for ") : null;
    }

    private static @Nullable String longer(long silence, Duration limit, String what) {
        return silence > limit.toNanos() ? what + limit.toSeconds() + " s" : null;
    }
}
