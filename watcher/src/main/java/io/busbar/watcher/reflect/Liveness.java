package io.busbar.watcher.reflect;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows when a request has been silent for too long: a connection can die without either side being told.
 *
 * <p>One context; {@link #staleness()} and {@link #bookmarkAge()} are for any thread.
 */
final class Liveness {

    /** What a watch may last longer than it asked for. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final ReflectorOptions options;
    private final LongSupplier nanos;
    private volatile long lastSign;
    /** Null before the first. */
    private volatile @Nullable Long lastBookmark;

    private long begun;
    private long lifetime;
    private boolean answered;
    private boolean bookmarked;
    private boolean fruitful;

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
        fruitful = false;
    }

    /** The server has said something. */
    void sign() {
        answered = true;
        lastSign = nanos.getAsLong();
    }

    /** The server sends bookmarks on this watch, about once a minute, so it will not be silent for long. */
    void bookmark() {
        bookmarked = true;
        lastBookmark = nanos.getAsLong();
    }

    /** The server has told of an object, or how far it is. */
    void fruit() {
        fruitful = true;
    }

    boolean fruitful() {
        return fruitful;
    }

    boolean answered() {
        return answered;
    }

    /** Since the request was sent. */
    Duration age() {
        return Duration.ofNanos(nanos.getAsLong() - begun);
    }

    /** Time since the last bookmark of this or any earlier request; empty where there was none. */
    Optional<Duration> bookmarkAge() {
        return Optional.ofNullable(lastBookmark).map(then -> Duration.ofNanos(nanos.getAsLong() - then));
    }

    /** Time since the last sign of this or any earlier request. */
    Duration staleness() {
        return Duration.ofNanos(nanos.getAsLong() - lastSign);
    }

    /**
     * Why the request should be given up; null if it should not.
     *
     * @param watching whether it is a watch, which may have nothing to say for long
     */
    @Nullable
    String verdict(boolean watching) {
        long now = nanos.getAsLong();
        long silence = now - Math.max(begun, lastSign);
        if (!watching || !answered) {
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
