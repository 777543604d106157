package io.busbar.common.guard;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names the code that is slow where it must be quick: functions of users that run on event loops, where one that takes
 * its time holds up all that the loop does.
 *
 * <p>The metric is {@code busbar_slow_calls_total}, of what took over 20 ms, by kind and name. A warning names each
 * once a minute at most. Time is what passes on the clock: a call may seem slow that was held up itself, by a
 * collection of garbage, say; one that is named again and again is not.
 *
 * <p>Any thread. A call that is quick costs two looks at the clock.
 */
public final class SlowCalls {

    /** What takes longer is slow. */
    public static final Duration LIMIT = Duration.ofMillis(20);

    private static final Logger log = LoggerFactory.getLogger(SlowCalls.class);
    private static final long BETWEEN_REPORTS = Duration.ofMinutes(1).toNanos();

    private final String kind;
    private final MeterProvider<Counter> slow;
    private final LongSupplier nanos;
    private final Map<String, Long> reported = new ConcurrentHashMap<>();

    /**
     * @param kind what is called, for people and as a label: one of few, such as "index"
     */
    public SlowCalls(String kind, MeterRegistry meters) {
        this(kind, meters, System::nanoTime);
    }

    SlowCalls(String kind, MeterRegistry meters, LongSupplier nanos) {
        this.kind = kind;
        this.nanos = nanos;
        this.slow = Counter.builder("busbar_slow_calls")
                .description("Calls of functions on event loops that took over 20 ms.")
                .tag("kind", kind)
                .withRegistry(meters);
    }

    /** The time at which a call begins. */
    public long begin() {
        return nanos.getAsLong();
    }

    /**
     * A call has ended, whether it threw or not.
     *
     * @param begun from {@link #begin()}
     * @param name of the function: one of as many as an operator declares
     */
    public void end(long begun, String name) {
        long now = nanos.getAsLong();
        if (now - begun > LIMIT.toNanos()) {
            slow(name, now, Duration.ofNanos(now - begun));
        }
    }

    private void slow(String name, long now, Duration took) {
        slow.withTags("name", name).increment();
        Long before = reported.get(name);
        boolean due = before == null || now - before >= BETWEEN_REPORTS;
        if (due && (before == null ? reported.putIfAbsent(name, now) == null : reported.replace(name, before, now))) {
            log.atWarn()
                    .addKeyValue("kind", kind)
                    .addKeyValue("name", name)
                    .addKeyValue("millis", took.toMillis())
                    .addKeyValue("eventLoop", Thread.currentThread().getName())
                    .log("Slow code on an event loop, which holds up all else there");
        }
    }
}
