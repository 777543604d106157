package io.busbar.reconciler;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Stores that a test fills. Any type is watched once an object was put; an index works without being declared. */
public final class MapListers implements Listers {

    private Runnable afterEachRead = () -> {};
    private final Map<Class<?>, Map<ObjectKey, HasMetadata>> stores = new ConcurrentHashMap<>();

    public MapListers watching(Class<? extends HasMetadata> type) {
        stores.computeIfAbsent(type, added -> new ConcurrentHashMap<>());
        return this;
    }

    public <T extends HasMetadata> T put(T object) {
        watching(object.getClass());
        stores.get(object.getClass()).put(ObjectKey.of(object), object);
        return object;
    }

    /** Lets something happen between one read and the next. */
    public void afterEachRead(Runnable hook) {
        afterEachRead = hook;
    }

    public void remove(HasMetadata object) {
        stores.get(object.getClass()).remove(ObjectKey.of(object));
    }

    @Override
    public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
        Map<ObjectKey, HasMetadata> store = stores.get(type);
        if (store == null) {
            throw new IllegalArgumentException("nobody watches " + type);
        }
        return new Lister<>() {
            @Override
            public Optional<T> get(ObjectKey key) {
                Optional<T> found = Optional.ofNullable(type.cast(store.get(key)));
                afterEachRead.run();
                return found;
            }

            @Override
            public List<T> list() {
                return list((T object) -> true);
            }

            @Override
            public List<T> list(String namespace) {
                return list((T object) -> namespace.equals(object.getMetadata().getNamespace()));
            }

            @Override
            public List<T> by(Index<T> index, String value) {
                return list((T object) -> index.values().apply(object).contains(value));
            }

            private List<T> list(Predicate<T> which) {
                List<T> found =
                        store.values().stream().map(type::cast).filter(which).toList();
                afterEachRead.run();
                return found;
            }

            @Override
            public int size() {
                return store.size();
            }

            @Override
            public boolean synced() {
                return true;
            }
        };
    }
}
