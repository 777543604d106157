package io.busbar.common.guard;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Keeps what must go on for ever, such as a loop, a worker or a stream, from ending by what one turn of it throws.
 * Whatever that is, errors included, it is counted and logged with its place; then the caller goes on.
 *
 * <p>The metric is {@code busbar_panics_total}, by place. A stack trace is logged once a minute for each place, at
 * ERROR; more of them in that minute are logged at DEBUG.
 *
 * <p>Any thread. Nothing that is called here throws.
 */
public final class Guard {

    private static final Logger log = LoggerFactory.getLogger(Guard.class);
    private static final Duration BETWEEN_REPORTS = Duration.ofMinutes(1);

    private final String place;
    private final Counter panics;
    private final LongSupplier nanos;
    private final AtomicLong nextReport;

    /**
     * @param place which loop it is, for people and as the label of the metric: one of few, such as "leader election"
     */
    public Guard(String place, MeterRegistry meters) {
        this(place, meters, System::nanoTime);
    }

    Guard(String place, MeterRegistry meters, LongSupplier nanos) {
        this.place = place;
        this.nanos = nanos;
        this.nextReport = new AtomicLong(nanos.getAsLong());
        this.panics = Counter.builder("busbar_panics")
                .description("What was thrown where nothing should be; the operator went on.")
                .tag("place", place)
                .register(meters);
    }

    /**
     * Takes one turn.
     *
     * @return whether it ended without throwing
     */
    public boolean run(Runnable turn) {
        return call(
                () -> {
                    turn.run();
                    return true;
                },
                thrown -> false);
    }

    /**
     * Takes one turn that has a result.
     *
     * @param instead the result if the turn throws; must not throw
     */
    public <R> R call(Callable<R> turn, Function<Throwable, R> instead) {
        try {
            return turn.call();
        } catch (Throwable thrown) { // a loop outlives even the errors of what it runs
            caught(thrown, Map.of());
            return instead.apply(thrown);
        }
    }

    /**
     * Counts and logs what the caller has caught.
     *
     * @param about what the turn was for, such as the name of an object, by log key
     */
    public void caught(Throwable thrown, Map<String, ?> about) {
        try {
            panics.increment();
            LoggingEventBuilder line =
                    log.atLevel(reportsNow() ? Level.ERROR : Level.DEBUG).addKeyValue("place", place);
            for (Map.Entry<String, ?> entry : about.entrySet()) {
                line = line.addKeyValue(entry.getKey(), entry.getValue());
            }
            line.setCause(Thrown.loggable(thrown)).log("Unexpected failure, going on");
        } catch (Throwable unreported) {
            // Such as a stack or a heap that is full: to go on counts for more than to tell.
        }
    }

    private boolean reportsNow() {
        long now = nanos.getAsLong();
        long due = nextReport.get();
        return now - due >= 0 && nextReport.compareAndSet(due, now + BETWEEN_REPORTS.toNanos());
    }
}
