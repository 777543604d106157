package io.busbar.watcher.reflect;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The meters of one stream. Any thread.
 *
 * <p>Those that begin with {@code reflector_} are client-go's; the tag {@code name} is the watch's.
 */
final class StreamMetrics {

    private final MeterRegistry registry;
    private final Tags tags;
    private final List<Meter> meters = new ArrayList<>();
    private final Counter lists;
    private final Timer listDuration;
    private final Counter watches;
    private final Counter shortWatches;
    private final Counter relists;

    /**
     * @param namespace empty for all
     */
    StreamMetrics(MeterRegistry registry, String watch, String namespace, Supplier<Duration> staleness) {
        this.registry = registry;
        this.tags = Tags.of("name", watch, "namespace", namespace);
        this.lists = counter("reflector.lists", "Lists begun.");
        this.watches = counter("reflector.watches", "Watches begun.");
        this.shortWatches = counter("reflector.short.watches", "Watches that ended too soon.");
        this.relists = counter("busbar.watch.relists", "Lists that had to be repeated, since the watch was lost.");
        this.listDuration = kept(Timer.builder("reflector.list.duration")
                .description("How long a complete list took.")
                .tags(tags)
                .register(registry));
        kept(Gauge.builder("busbar.watch.staleness", staleness, age -> age.get().toMillis() / 1000.0)
                .description("Time since the API server last gave a sign of life on this stream.")
                .baseUnit("seconds")
                .strongReference(true)
                .tags(tags)
                .register(registry));
    }

    void list(boolean again) {
        lists.increment();
        relists.increment(again ? 1 : 0);
    }

    void listed(Duration took) {
        listDuration.record(took);
    }

    void watch() {
        watches.increment();
    }

    void shortWatch() {
        shortWatches.increment();
    }

    /**
     * @param code HTTP status; 0 when there was no answer
     */
    void error(int code) {
        Counter errors = Counter.builder("busbar.watch.errors")
                .description("Lists and watches that failed.")
                .tags(tags.and("code", Integer.toString(code)))
                .register(registry);
        if (!meters.contains(errors)) {
            meters.add(errors);
        }
        errors.increment();
    }

    void close() {
        meters.forEach(registry::remove);
        meters.clear();
    }

    private Counter counter(String name, String description) {
        return kept(Counter.builder(name).description(description).tags(tags).register(registry));
    }

    private <M extends Meter> M kept(M meter) {
        meters.add(meter);
        return meter;
    }
}
