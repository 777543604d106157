package io.busbar.common.traffic;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.Interceptor.RequestTags;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the requests of one operator wait for their turn, all together: while the API server asks for a pause, and
 * beyond the rate that the operator was given.
 *
 * <p>A client that has one carries it as its tag. It is for whoever sends to ask first, and to wait: nothing here does.
 *
 * <p>Any thread.
 */
public final class RequestGate {

    /** What a server may ask for more is not believed: an operator that rests for hours is of no use. */
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final LongSupplier nanos;
    private final @Nullable TokenBucket rate;
    private final AtomicLong opensAt;

    private RequestGate(LongSupplier nanos, @Nullable TokenBucket rate) {
        this.nanos = nanos;
        this.rate = rate;
        this.opensAt = new AtomicLong(nanos.getAsLong());
    }

    /** One that is shut only while the API server asks for it. */
    public static RequestGate unlimited() {
        return unlimited(System::nanoTime);
    }

    static RequestGate unlimited(LongSupplier nanos) {
        return new RequestGate(nanos, null);
    }

    /**
     * One that lets so many requests pass in a second, in the long run.
     *
     * @param perSecond above 0
     * @param burst how many pass at once after a quiet while; 1 or more
     */
    public static RequestGate limited(double perSecond, int burst) {
        return limited(perSecond, burst, System::nanoTime);
    }

    static RequestGate limited(double perSecond, int burst, LongSupplier nanos) {
        return new RequestGate(nanos, new TokenBucket(perSecond, burst, nanos.getAsLong()));
    }

    /** The one that this client carries; where it has none, one that is of nobody else's concern. */
    public static RequestGate of(HttpClient client) {
        @Nullable RequestGate carried = client instanceof RequestTags tags ? tags.getTag(RequestGate.class) : null;
        return carried != null ? carried : unlimited();
    }

    /**
     * Takes the next turn for one request, which is not a watch: those count for nothing, but {@link #pause} is theirs
     * as well.
     *
     * @return how long to wait before it is sent; zero when it is to be sent now. After a wait, {@link #pause} has to
     *     be asked again
     */
    public Duration turn() {
        long wait = pauseNanos();
        if (rate != null) {
            synchronized (rate) {
                wait = Math.max(wait, rate.reserve(nanos.getAsLong()));
            }
        }
        return Duration.ofNanos(wait);
    }

    /** How long nothing may be sent; zero when that is now. */
    public Duration pause() {
        return Duration.ofNanos(pauseNanos());
    }

    /**
     * The server has asked for a pause from now on. It may make one that is under way longer, not shorter; a minute at
     * most.
     */
    public void shutFor(Duration pause) {
        long until = nanos.getAsLong() + (pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE).toNanos();
        opensAt.accumulateAndGet(until, (before, now) -> now - before > 0 ? now : before);
    }

    /** When the last pause ends, or ended, by {@link System#nanoTime()}. */
    public long opensAt() {
        return opensAt.get();
    }

    private long pauseNanos() {
        return Math.max(0, opensAt.get() - nanos.getAsLong());
    }
}
