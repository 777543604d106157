package io.busbar.watcher;

import io.busbar.common.bus.ResourceChanged;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** The meters of one watch, all streams together. Any thread. */
final class WatchMetrics {

    private final MeterRegistry registry;
    private final List<Meter> meters = new ArrayList<>();
    private final Map<ResourceChanged.Kind, Counter> changes = new EnumMap<>(ResourceChanged.Kind.class);

    WatchMetrics(MeterRegistry registry, String watch, Supplier<Number> objects, Supplier<Number> bytes) {
        this.registry = registry;
        meters.add(Gauge.builder("busbar.watch.objects", objects)
                .description("Objects stored.")
                .tag("name", watch)
                .register(registry));
        meters.add(Gauge.builder("busbar.watch.stored", bytes)
                .description("JSON of the objects stored.")
                .baseUnit("bytes")
                .tag("name", watch)
                .register(registry));
        for (ResourceChanged.Kind kind : ResourceChanged.Kind.values()) {
            changes.put(
                    kind,
                    counter(Counter.builder("busbar.watch.events")
                            .description("Changes that the store has taken.")
                            .tags("name", watch, "type", kind.name().toLowerCase(Locale.ROOT))));
        }
    }

    void changed(ResourceChanged.Kind kind) {
        Counter counter = changes.get(kind);
        if (counter != null) {
            counter.increment();
        }
    }

    void close() {
        meters.forEach(registry::remove);
    }

    private Counter counter(Counter.Builder builder) {
        Counter counter = builder.register(registry);
        meters.add(counter);
        return counter;
    }
}
