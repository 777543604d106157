package io.busbar.reconciler;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.Reached;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Stores that a test fills. Any type is watched once an object was put; an index works without being declared. An
 * object that is put brings its store to its version, if that is newer; all else is done by {@link #reach}.
 */
public final class MapListers implements Listers {

    /** What all stores say that they are of. */
    public static final String WATCH = "the watch";

    /** Before anything was put: what is written then is newer. */
    private static final Reached FIRST_LIST = new Reached("1", 0);

    private final Map<Class<?>, Reached> reached = new ConcurrentHashMap<>();
    private Runnable afterEachRead = () -> {};
    private final Map<Class<?>, Map<ObjectKey, HasMetadata>> stores = new ConcurrentHashMap<>();

    public MapListers watching(Class<? extends HasMetadata> type) {
        stores.computeIfAbsent(type, added -> new ConcurrentHashMap<>());
        return this;
    }

    public <T extends HasMetadata> T put(T object) {
        watching(object.getClass());
        stores.get(object.getClass()).put(ObjectKey.of(object), object);
        String version = object.getMetadata().getResourceVersion();
        Reached before = reached.getOrDefault(object.getClass(), FIRST_LIST);
        if (version != null && !before.includes(version)) {
            reached.put(object.getClass(), before.next(version));
        }
        return object;
    }

    /** The watch of a type has seen all up to a version. */
    public void reach(Class<?> type, String version) {
        reached.put(type, reached.getOrDefault(type, FIRST_LIST).next(version));
    }

    /** The watch of a type does not watch where the test writes. */
    public void leaveOut(Class<?> type) {
        reached.put(type, Reached.NOTHING);
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

            @Override
            public String watch() {
                return WATCH;
            }

            @Override
            public Reached reached(String namespace) {
                return reached.getOrDefault(type, FIRST_LIST);
            }
        };
    }
}
