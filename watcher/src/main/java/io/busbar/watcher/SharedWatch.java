package io.busbar.watcher;

import io.busbar.common.bus.Addresses;
import io.busbar.common.guard.Guard;
import io.busbar.common.guard.SlowCalls;
import io.busbar.common.trace.Tracing;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.OthersWrites;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.store.DecodedObjects;
import io.busbar.watcher.store.Store;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A running watch, with the attachments of all who hold it.
 *
 * <p>Any thread; the count of holders is its owner's.
 */
final class SharedWatch<T extends HasMetadata> {

    private final Vertx vertx;
    private final int number;
    private final String name;
    private final WatchSpec<T> spec;
    private final Store<T> store;
    private final ChangePublisher<T> publisher;
    private final WatcherVerticle<T> verticle;
    private final WatchMetrics metrics;
    private final UnfitObjects unfit;
    private final AtomicBoolean started = new AtomicBoolean();
    private final Promise<String> deployment = Promise.promise();

    /** Guarded by the map that the watch stands in. */
    int holders;

    /** @param owners as in {@link WatcherVerticle} */
    SharedWatch(
            Vertx vertx,
            int number,
            String name,
            WatchSpec<T> spec,
            @Nullable Predicate<String> owners,
            KubernetesSerialization serialization,
            DecodedObjects decoded,
            StreamFactory streams,
            MeterRegistry meters,
            Tracing tracing,
            Addresses addresses,
            Set<String> namespaces) {
        this.vertx = vertx;
        this.number = number;
        this.name = name;
        this.spec = spec;
        this.unfit = new UnfitObjects(name, meters);
        this.store = new Store<>(
                name, spec, serialization, decoded, unfit, new Guard("index", meters), new SlowCalls("index", meters));
        this.publisher = new ChangePublisher<>(spec.resource(), name, vertx.eventBus(), tracing, addresses);
        this.metrics = new WatchMetrics(meters, name, store::size, store::bytes);
        this.verticle = new WatcherVerticle<>(name, spec, owners, store, publisher, streams, metrics, namespaces);
    }

    String name() {
        return name;
    }

    WatchSpec<T> spec() {
        return spec;
    }

    /** Ascending in the order of creation. */
    int number() {
        return number;
    }

    Lister<T> lister() {
        return store;
    }

    /** Completes, on any thread, when the first lists are stored and the attachment knows of all that is. */
    Future<Void> attach(Attachment<T> attachment) {
        store.decodeOnArrival(attachment.looksAt());
        List<Index<T>> late =
                attachment.indexes().stream().filter(store::declare).toList();
        publisher.attach(attachment);
        if (started.compareAndSet(false, true)) {
            vertx.deployVerticle(verticle).onComplete(deployment);
            return deployment.future().compose(id -> verticle.synced());
        }
        return deployment.future().compose(id -> replay(attachment, late)).compose(v -> verticle.synced());
    }

    /** As {@link WatchHandle#caughtUp}, on any thread. */
    Future<Void> caughtUp(OthersWrites writes) {
        return deployment.future().compose(id -> verticle.caughtUp(writes));
    }

    /** Whether the namespaces are those that all watches have that name none. */
    boolean isOpen() {
        return Watches.isOpen(spec);
    }

    /** As {@link WatcherVerticle#watch}; before it is started there is nothing to do. */
    Future<Void> watch(Set<String> namespaces) {
        return deployment.future().compose(id -> verticle.watch(namespaces));
    }

    /** As {@link WatcherVerticle#ownersChanged}, of a sharded watch; before it is started there is nothing to do. */
    void ownersChanged(boolean more) {
        Future<String> unused = deployment.future().onSuccess(id -> verticle.ownersChanged(more));
    }

    void detach(Attachment<T> attachment) {
        publisher.detach(attachment);
    }

    Future<Void> stop() {
        metrics.close();
        unfit.close();
        return started.compareAndSet(false, true)
                ? Future.succeededFuture()
                : deployment.future().compose(vertx::undeploy);
    }

    WatchStatus status() {
        return new WatchStatus(
                name,
                spec.resource(),
                store.synced(),
                store.size(),
                store.bytes(),
                verticle.staleness(),
                verticle.failure(),
                verticle.streams());
    }

    /**
     * Tells a late attachment what is stored already. Changes in the meantime reach it too, so it may hear of one
     * twice.
     */
    private Future<Void> replay(Attachment<T> attachment, List<Index<T>> late) {
        if (late.isEmpty() && !attachment.hasTriggers()) {
            return Future.succeededFuture();
        }
        return verticle.visit(key -> {
            late.forEach(index -> store.file(index, key));
            if (attachment.hasTriggers()) {
                store.get(key).ifPresent(object -> publisher.publish(object, key, attachment));
            }
        });
    }
}
