package io.busbar.watcher;

import io.busbar.common.ObjectKey;
import io.busbar.watcher.reflect.Sink;
import io.busbar.watcher.store.PreparedObject;
import io.busbar.watcher.store.Store;
import io.busbar.watcher.store.StoreChange;
import io.busbar.watcher.wire.RawObject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Brings what one stream sees to the store first, then to the bus. One context, but for {@link #prepare}. */
final class StoreSink<T extends HasMetadata> implements Sink<PreparedObject<T>> {

    private final @Nullable String namespace;
    private final Store<T> store;
    private final ChangePublisher<T> publisher;
    private final WatchMetrics metrics;
    private final Runnable synced;
    private boolean listed;

    /**
     * @param namespace of the stream; null for all
     * @param synced called once, after the first complete list
     */
    StoreSink(
            @Nullable String namespace,
            Store<T> store,
            ChangePublisher<T> publisher,
            WatchMetrics metrics,
            Runnable synced) {
        this.namespace = namespace;
        this.store = store;
        this.publisher = publisher;
        this.metrics = metrics;
        this.synced = synced;
    }

    @Override
    public PreparedObject<T> prepare(RawObject raw) {
        return store.prepare(raw);
    }

    @Override
    public void put(PreparedObject<T> object, boolean first, String reached) {
        List<StoreChange<T>> changes = store.put(object, first);
        reached(reached);
        tell(changes);
    }

    @Override
    public void remove(PreparedObject<T> last, String reached) {
        List<StoreChange<T>> changes = store.remove(last);
        reached(reached);
        tell(changes);
    }

    @Override
    public void drop(ObjectKey key, String reached) {
        List<StoreChange<T>> changes = store.remove(key);
        reached(reached);
        tell(changes);
    }

    @Override
    public void retain(Set<ObjectKey> kept, String reached) {
        List<StoreChange<T>> changes = new ArrayList<>();
        for (ObjectKey key : store.keys(namespace)) {
            if (!kept.contains(key)) {
                changes.addAll(store.remove(key));
            }
        }
        reached(reached);
        tell(changes);
        if (listed) {
            publisher.publishList(namespace == null ? "" : namespace);
        } else {
            listed = true;
            synced.run();
        }
    }

    /** Between storing and telling: who is told of a change finds it passed. */
    @Override
    public void reached(String version) {
        if (!version.isEmpty()) {
            store.reach(namespace, version);
        }
    }

    @Override
    public Set<ObjectKey> keys() {
        return Set.copyOf(store.keys(namespace));
    }

    @Override
    public @Nullable String version(ObjectKey key) {
        return store.version(key);
    }

    private void tell(List<StoreChange<T>> changes) {
        for (StoreChange<T> change : changes) {
            metrics.changed(change.kind());
            publisher.publish(change);
        }
    }
}
