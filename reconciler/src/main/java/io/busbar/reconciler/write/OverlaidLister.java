package io.busbar.reconciler.write;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Reached;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A store with own writes over it. Any thread. */
final class OverlaidLister<T extends HasMetadata> implements Lister<T> {

    private final Class<T> type;
    private final Lister<T> store;
    private final OwnWrites writes;

    OverlaidLister(Class<T> type, Lister<T> store, OwnWrites writes) {
        this.type = type;
        this.store = store;
        this.writes = writes;
    }

    @Override
    public Optional<T> get(ObjectKey key) {
        return writes.isElsewhere(key) ? Optional.empty() : writes.latest(type, key.local(), store);
    }

    @Override
    public List<T> list() {
        return overlaid(store::list, object -> true);
    }

    @Override
    public List<T> list(String namespace) {
        return overlaid(
                () -> store.list(namespace),
                object -> namespace.equals(object.getMetadata().getNamespace()));
    }

    @Override
    public List<T> by(Index<T> index, String value) {
        return overlaid(
                () -> store.by(index, value),
                object -> index.values().apply(object).contains(value));
    }

    /** A write that is not pending any more is in the store, if that is read afterwards. */
    private List<T> overlaid(Supplier<List<T>> list, Predicate<T> belongs) {
        Map<ObjectKey, T> pending = writes.pending(type, store);
        List<T> stored = list.get();
        if (pending.isEmpty()) {
            return stored;
        }
        List<T> objects = new ArrayList<>(stored.size() + pending.size());
        stored.stream()
                .filter(object -> !pending.containsKey(ObjectKey.of(object)))
                .forEach(objects::add);
        pending.values().stream().filter(belongs).forEach(objects::add);
        return objects;
    }

    @Override
    public int size() {
        long created = writes.pending(type, store).keySet().stream()
                .filter(key -> store.get(key).isEmpty())
                .count();
        return store.size() + (int) created;
    }

    @Override
    public boolean synced() {
        return store.synced();
    }

    @Override
    public String watch() {
        return store.watch();
    }

    @Override
    public Reached reached(String namespace) {
        return store.reached(namespace);
    }
}
