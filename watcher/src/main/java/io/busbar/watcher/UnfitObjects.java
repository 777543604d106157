package io.busbar.watcher;

import io.busbar.common.ObjectKey;
import io.busbar.common.guard.Thrown;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people of objects that do not fit their model class, or whose transform failed, and counts them. Any thread.
 */
final class UnfitObjects implements BiConsumer<ObjectKey, Throwable> {

    private static final Logger log = LoggerFactory.getLogger(UnfitObjects.class);

    private final String watch;
    private final MeterRegistry registry;
    private final Counter counter;

    UnfitObjects(String watch, MeterRegistry registry) {
        this.watch = watch;
        this.registry = registry;
        this.counter = Counter.builder("busbar.watch.unfit.objects")
                .description("Objects that do not fit their model class, or whose transform failed.")
                .tag("name", watch)
                .register(registry);
    }

    @Override
    public void accept(ObjectKey key, Throwable why) {
        counter.increment();
        log.atWarn()
                .addKeyValue("watch", watch)
                .addKeyValue("namespace", key.namespace())
                .addKeyValue("name", key.name())
                .addKeyValue("error", Thrown.text(why))
                .log("An object does not fit its model class, and is as if it were not there");
    }

    void close() {
        registry.remove(counter);
    }
}
