package io.busbar.reconciler.queue;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The {@code workqueue_…} metrics of one queue, under client-go's names and controller-runtime's labels.
 *
 * <p>Written from the queue's context, read from any thread. The label {@code priority} is 0 for changes, −100 for the
 * first list (as in controller-runtime), −200 for the resync.
 */
public final class QueueMetrics {

    private static final Duration[] BUCKETS = {
        Duration.ofNanos(10_000),
        Duration.ofNanos(100_000),
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(100),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofSeconds(100),
        Duration.ofSeconds(1000)
    };

    private final Map<Reason, AtomicInteger> depth = new EnumMap<>(Reason.class);
    private final Map<ObjectKey, Long> outSince = new ConcurrentHashMap<>();
    private final LongSupplier clock;
    private final Counter adds;
    private final Counter retries;
    private final Timer waited;
    private final Timer worked;

    public QueueMetrics(MeterRegistry meters, String controller, LongSupplier clock) {
        Tags tags = Tags.of("name", controller, "controller", controller);
        this.clock = clock;
        this.adds = Counter.builder("workqueue_adds")
                .description("Keys added that did not wait yet")
                .tags(tags)
                .register(meters);
        this.retries = Counter.builder("workqueue_retries")
                .description("Keys added after a failure or a requeue")
                .tags(tags)
                .register(meters);
        this.waited = timer("workqueue_queue_duration", "How long keys wait", tags, meters);
        this.worked = timer("workqueue_work_duration", "How long keys are out", tags, meters);
        for (Reason reason : Reason.values()) {
            AtomicInteger count = new AtomicInteger();
            depth.put(reason, count);
            Gauge.builder("workqueue_depth", count, AtomicInteger::get)
                    .description("Keys that wait")
                    .tags(tags.and("priority", priority(reason)))
                    .strongReference(true)
                    .register(meters);
        }
        gauge(
                "workqueue_unfinished_work_seconds",
                "For how long keys are out by now, all together",
                tags,
                meters,
                this::sum);
        gauge(
                "workqueue_longest_running_processor_seconds",
                "For how long the longest key is out",
                tags,
                meters,
                this::max);
    }

    private static Timer timer(String name, String description, Tags tags, MeterRegistry meters) {
        return Timer.builder(name)
                .description(description)
                .tags(tags)
                .serviceLevelObjectives(BUCKETS)
                .register(meters);
    }

    private static void gauge(
            String name, String description, Tags tags, MeterRegistry meters, Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(meters);
    }

    private static String priority(Reason reason) {
        return switch (reason) {
            case CHANGE -> "0";
            case INITIAL_LIST -> "-100";
            case RESYNC -> "-200";
        };
    }

    void added(Reason reason) {
        adds.increment();
        waiting(reason).incrementAndGet();
    }

    void raised(Reason before, Reason after) {
        waiting(before).decrementAndGet();
        waiting(after).incrementAndGet();
    }

    void taken(ObjectKey key, Reason reason, long waitedNanos) {
        waiting(reason).decrementAndGet();
        waited.record(waitedNanos, TimeUnit.NANOSECONDS);
        outSince.put(key, clock.getAsLong());
    }

    void retried() {
        retries.increment();
    }

    void done(ObjectKey key) {
        Long since = outSince.remove(key);
        if (since != null) {
            worked.record(clock.getAsLong() - since, TimeUnit.NANOSECONDS);
        }
    }

    private AtomicInteger waiting(Reason reason) {
        return Objects.requireNonNull(depth.get(reason));
    }

    private double sum() {
        long now = clock.getAsLong();
        return seconds(
                outSince.values().stream().mapToLong(since -> now - since).sum());
    }

    private double max() {
        long now = clock.getAsLong();
        return seconds(
                outSince.values().stream().mapToLong(since -> now - since).max().orElse(0));
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }
}
