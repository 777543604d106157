package io.busbar.operator.sidecarset;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A lister over objects that a test puts there. It does not imitate: fields that a watch does not keep, transforms,
 * indexes that were not declared (any works), lag behind the API server, nor a first list that takes its time.
 */
public final class StoredObjects<T extends HasMetadata> implements Lister<T> {

    private final Map<ObjectKey, T> objects = new ConcurrentSkipListMap<>();

    @SafeVarargs
    public static <T extends HasMetadata> StoredObjects<T> of(T... objects) {
        StoredObjects<T> stored = new StoredObjects<>();
        for (T object : objects) {
            stored.put(object);
        }
        return stored;
    }

    public void put(T object) {
        objects.put(ObjectKey.of(object), object);
    }

    public void remove(ObjectKey key) {
        objects.remove(key);
    }

    @Override
    public Optional<T> get(ObjectKey key) {
        return Optional.ofNullable(objects.get(key));
    }

    @Override
    public List<T> list() {
        return List.copyOf(objects.values());
    }

    @Override
    public List<T> list(String namespace) {
        return objects.values().stream()
                .filter(object -> namespace.equals(object.getMetadata().getNamespace()))
                .toList();
    }

    @Override
    public List<T> by(Index<T> index, String value) {
        return objects.values().stream()
                .filter(object -> index.values().apply(object).contains(value))
                .toList();
    }

    @Override
    public int size() {
        return objects.size();
    }

    @Override
    public boolean synced() {
        return true;
    }
}
