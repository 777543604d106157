package io.busbar.watcher;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.reflect.Reflector;
import io.busbar.watcher.store.Store;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches one type in one scope: a reflector for each namespace, or one for all.
 *
 * <p>One context, an event loop's; the accessors are for any thread.
 */
final class WatcherVerticle<T extends HasMetadata> extends VerticleBase {

    /** How many stored objects are visited before others get their turn on the context. */
    private static final int SLICE = 50;

    private final String name;
    private final WatchSpec<T> spec;
    private final Store<T> store;
    private final ChangePublisher<T> publisher;
    private final StreamFactory streams;
    private final WatchMetrics metrics;
    private final List<Reflector<?>> reflectors = new CopyOnWriteArrayList<>();
    private final Promise<Void> synced = Promise.promise();
    private int unsynced;

    WatcherVerticle(
            String name,
            WatchSpec<T> spec,
            Store<T> store,
            ChangePublisher<T> publisher,
            StreamFactory streams,
            WatchMetrics metrics) {
        this.name = name;
        this.spec = spec;
        this.store = store;
        this.publisher = publisher;
        this.streams = streams;
        this.metrics = metrics;
    }

    @Override
    public Future<?> start() {
        if (spec.namespaces().isEmpty()) {
            stream(null);
        }
        spec.namespaces().forEach(this::stream);
        unsynced = reflectors.size();
        reflectors.forEach(Reflector::start);
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        reflectors.forEach(Reflector::stop);
        return Future.succeededFuture();
    }

    /** Completes when all streams have had their first list; on this verticle's context. */
    Future<Void> synced() {
        return synced.future();
    }

    /** As {@link WatchHandle#caughtUp}. Any thread, once the verticle is deployed. */
    Future<Void> caughtUp(long moment) {
        Promise<Void> all = Promise.promise();
        context.runOnContext(v -> Future.join(reflectors.stream()
                        .map(reflector -> reflector.caughtUp(moment))
                        .toList())
                .<Void>mapEmpty()
                .onComplete(all));
        return all.future();
    }

    /** That of the stream that has been silent the longest. */
    Duration staleness() {
        return reflectors.stream()
                .map(Reflector::staleness)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** Goes through the keys of all objects that are stored now, a few at a time. Any thread, once the verticle is deployed. */
    Future<Void> visit(Consumer<ObjectKey> visitor) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(v -> slice(store.keys(null).iterator(), visitor, done));
        return done.future();
    }

    private void slice(Iterator<ObjectKey> keys, Consumer<ObjectKey> visitor, Promise<Void> done) {
        for (int i = 0; i < SLICE && keys.hasNext(); i++) {
            visitor.accept(keys.next());
        }
        if (keys.hasNext()) {
            context.runOnContext(v -> slice(keys, visitor, done));
        } else {
            done.complete();
        }
    }

    private void stream(@Nullable String namespace) {
        StoreSink<T> sink = new StoreSink<>(namespace, store, publisher, metrics, this::streamSynced);
        reflectors.add(streams.stream(spec, name, namespace, sink));
    }

    private void streamSynced() {
        unsynced--;
        if (unsynced == 0) {
            store.markSynced();
            synced.complete();
        }
    }
}
