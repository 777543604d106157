package io.busbar.watcher;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.OthersWrites;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.reflect.Reflector;
import io.busbar.watcher.reflect.StreamStatus;
import io.busbar.watcher.store.Store;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Watches one type in one scope: a reflector for each namespace, or one for all. Where the spec leaves the namespaces
 * open, they may change.
 *
 * <p>One context, an event loop's; the accessors are for any thread.
 */
final class WatcherVerticle<T extends HasMetadata> extends VerticleBase {

    /** How many stored objects are visited before others get their turn on the context. */
    private static final int SLICE = 50;

    private static final String ALL = "";

    private final String name;
    private final WatchSpec<T> spec;
    private final @Nullable Predicate<String> owners;
    private final Store<T> store;
    private final ChangePublisher<T> publisher;
    private final StreamFactory streams;
    private final WatchMetrics metrics;
    private final Promise<Void> synced = Promise.promise();
    /** By namespace; the one for all by an empty name. */
    private final Map<String, Stream> running = new ConcurrentHashMap<>();

    /** Of the streams that are to run first. */
    private volatile Set<String> namespaces;

    private record Stream(Reflector<?> reflector, Promise<Void> listed) {}

    /** @param owners as in {@link Reflector} */
    WatcherVerticle(
            String name,
            WatchSpec<T> spec,
            @Nullable Predicate<String> owners,
            Store<T> store,
            ChangePublisher<T> publisher,
            StreamFactory streams,
            WatchMetrics metrics,
            Set<String> namespaces) {
        this.name = name;
        this.spec = spec;
        this.owners = owners;
        this.store = store;
        this.publisher = publisher;
        this.streams = streams;
        this.metrics = metrics;
        this.namespaces = namespaces;
    }

    @Override
    public Future<?> start() {
        begin(namespaces);
        return Future.succeededFuture();
    }

    /**
     * Watches these namespaces and no others. What is known of others is forgotten: nobody is told that it was deleted.
     * Any thread, once the verticle is deployed.
     *
     * @param names empty for all
     * @return completes when all of them are listed
     */
    Future<Void> watch(Set<String> names) {
        Promise<Void> listed = Promise.promise();
        context.runOnContext(now -> {
            namespaces = names;
            Set<String> wanted = streams(names);
            running.forEach((namespace, stream) -> {
                if (!wanted.contains(namespace)) {
                    running.remove(namespace);
                    stream.reflector().stop();
                    store.leave(namespace);
                }
            });
            begin(names);
            if (!names.isEmpty()) {
                store.keys(null).stream()
                        .filter(key -> !names.contains(key.namespace()))
                        .flatMap(key -> store.remove(key).stream())
                        .forEach(publisher::publishLeft);
            }
            Future.all(running.values().stream()
                            .map(stream -> stream.listed().future())
                            .toList())
                    .<Void>mapEmpty()
                    .onComplete(listed);
            tellIfSynced();
        });
        return listed.future();
    }

    /**
     * Objects of other owners than before are kept. The rest is forgotten: nobody is told that it was deleted. Any
     * thread, once the verticle is deployed.
     *
     * @param more whether there are owners of whom nothing was kept before
     */
    void ownersChanged(boolean more) {
        context.runOnContext(now -> {
            if (more) {
                running.values().forEach(stream -> stream.reflector().listAnew());
            }
        });
        Future<Void> unused = visit(this::dropIfAnothers);
    }

    private void dropIfAnothers(ObjectKey key) {
        if (owners != null && !owners.test(store.controllerUid(key))) {
            store.remove(key).forEach(publisher::publishLeft);
        }
    }

    private static Set<String> streams(Set<String> names) {
        return names.isEmpty() ? Set.of(ALL) : names;
    }

    private void begin(Set<String> names) {
        for (String namespace : streams(names)) {
            if (!running.containsKey(namespace)) {
                Stream added = stream(namespace.equals(ALL) ? null : namespace);
                running.put(namespace, added);
                added.reflector().start();
            }
        }
    }

    @Override
    public Future<?> stop() {
        running.values().forEach(stream -> stream.reflector().stop());
        return Future.succeededFuture();
    }

    /** Completes when all streams have had their first list; on this verticle's context. */
    Future<Void> synced() {
        return synced.future();
    }

    /** As {@link WatchHandle#caughtUp}. Any thread, once the verticle is deployed. */
    Future<Void> caughtUp(OthersWrites writes) {
        Promise<Void> all = Promise.promise();
        context.runOnContext(v -> Future.join(running.values().stream()
                        .map(stream -> caughtUp(stream, writes))
                        .toList())
                .<Void>mapEmpty()
                .onComplete(all));
        return all.future();
    }

    /** Of a namespace that is left meanwhile nobody has to know more. */
    private Future<Void> caughtUp(Stream stream, OthersWrites writes) {
        return stream.reflector()
                .caughtUp(writes)
                .recover(stopped ->
                        running.containsValue(stream) ? Future.failedFuture(stopped) : Future.succeededFuture());
    }

    /** By namespace. Any thread. */
    List<StreamStatus> streams() {
        return running.values().stream()
                .map(stream -> stream.reflector().status())
                .sorted(Comparator.comparing(StreamStatus::namespace))
                .toList();
    }

    /** That of the stream that has been silent the longest. */
    Duration staleness() {
        return running.values().stream()
                .map(stream -> stream.reflector().staleness())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** Why one of the streams cannot be had; empty where all can. */
    String failure() {
        return running.values().stream()
                .map(stream -> stream.reflector().failure())
                .filter(failure -> !failure.isEmpty())
                .findFirst()
                .orElse("");
    }

    /**
     * Goes through the keys of all objects that are stored now, a few at a time. Any thread, once the verticle is
     * deployed.
     */
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

    private Stream stream(@Nullable String namespace) {
        Promise<Void> listed = Promise.promise();
        StoreSink<T> sink = new StoreSink<>(namespace, store, publisher, metrics, () -> {
            listed.complete();
            tellIfSynced();
        });
        return new Stream(streams.stream(spec, owners, name, namespace, sink), listed);
    }

    private void tellIfSynced() {
        boolean all = streams(namespaces).stream()
                .map(running::get)
                .allMatch(stream -> stream != null && stream.listed().future().isComplete());
        if (all && !synced.future().isComplete()) {
            store.markSynced();
            synced.complete();
        }
    }
}
