package io.busbar.watcher.store;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.ResourceChanged.Kind;
import io.busbar.common.guard.Guard;
import io.busbar.common.guard.SlowCalls;
import io.busbar.common.watch.Change;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Reached;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.wire.Controllership;
import io.busbar.watcher.wire.RawObject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All objects of a watch.
 *
 * <p>Written on one context, read from any thread. A reader sees each object whole, as it was at one time; between two
 * reads it may have changed.
 *
 * <p>Objects are kept as JSON and decoded when read, because the model classes take about four times the memory, and to
 * make them takes longer than to receive the JSON; {@link DecodedObjects} keeps those at hand that are read again and
 * again. An object that does not fit its model class, or whose transform fails, is not there for readers and triggers.
 */
public final class Store<T extends HasMetadata> implements Lister<T> {

    private static final String ALL_NAMESPACES = "";

    private final String watch;
    private final Guard guard;
    private final SlowCalls slow;
    private final ObjectCodec<T> codec;
    private final DecodedObjects decoded;
    private final Map<String, Map<String, StoredObject<T>>> namespaces = new ConcurrentHashMap<>();
    /** Several of one name where their functions differ, as two controllers may have chosen the same name. */
    private final List<FiledKeys<T>> indexes = new CopyOnWriteArrayList<>();
    /** By namespace, or under {@link #ALL_NAMESPACES} where one stream watches all. */
    private final Map<String, Reached> reached = new ConcurrentHashMap<>();

    private final AtomicInteger size = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private volatile Decoding decoding = Decoding.NOTHING;
    private volatile boolean synced;

    /**
     * @param watch the name of the watch
     * @param unfit told of each object that does not fit; on any thread
     * @param guard of what the functions of indexes throw
     * @param slow told of those that take their time
     */
    public Store(
            String watch,
            WatchSpec<T> spec,
            KubernetesSerialization serialization,
            DecodedObjects decoded,
            BiConsumer<ObjectKey, Throwable> unfit,
            Guard guard,
            SlowCalls slow) {
        this.watch = watch;
        this.guard = guard;
        this.slow = slow;
        this.codec = new ObjectCodec<>(spec, serialization, decoded, unfit);
        this.decoded = decoded;
    }

    /**
     * Triggers and indexes will look at so much of each object, and need not find more in it. Never less than before.
     * Any thread.
     */
    public synchronized void decodeOnArrival(Decoding atLeast) {
        if (decoding.compareTo(atLeast) < 0) {
            decoding = atLeast;
        }
    }

    /** Readies an object for {@link #put} or {@link #remove}. Any thread. */
    public PreparedObject<T> prepare(RawObject raw) {
        return codec.prepare(raw, decoding);
    }

    /**
     * Stores an object. One that replaces another of the same name, but not of the same uid, is a deletion and an
     * addition.
     *
     * @param listed whether it comes with the first list: then {@link Change#initial()}, and not kept decoded
     * @return nothing if it is stored already, with this resourceVersion
     */
    public List<StoreChange<T>> put(PreparedObject<T> prepared, boolean listed) {
        StoredObject<T> next = prepared.stored();
        StoredObject<T> previous = stored(next.key());
        if (previous == null) {
            return List.of(add(prepared, listed));
        }
        if (!previous.uid().equals(next.uid())) {
            return List.of(remove(previous, PreparedObject.undecoded(previous)), add(prepared, listed));
        }
        boolean same =
                !next.resourceVersion().isEmpty() && next.resourceVersion().equals(previous.resourceVersion());
        return same ? List.of() : List.of(modify(previous, prepared));
    }

    /**
     * Removes an object.
     *
     * @param last how it last was
     * @return nothing if it is not there
     */
    public List<StoreChange<T>> remove(PreparedObject<T> last) {
        StoredObject<T> previous = stored(last.stored().key());
        return previous == null ? List.of() : List.of(remove(previous, last));
    }

    /** Removes an object of which nobody can say how it last was: as it was stored. */
    public List<StoreChange<T>> remove(ObjectKey key) {
        StoredObject<T> previous = stored(key);
        return previous == null ? List.of() : List.of(remove(previous, PreparedObject.undecoded(previous)));
    }

    /** The keys of all objects, or of those in a namespace. */
    public List<ObjectKey> keys(@Nullable String namespace) {
        return snapshot(namespace).stream().map(StoredObject::key).toList();
    }

    /** The version in which an object is stored, whether it fits its class or not; null where it is not. Any thread. */
    public @Nullable String version(ObjectKey key) {
        StoredObject<T> object = stored(key);
        return object == null ? null : object.resourceVersion();
    }

    /** The uid of whoever controls an object; empty where nobody does, or it is not there. Any thread. */
    public String controllerUid(ObjectKey key) {
        StoredObject<T> object = stored(key);
        return object == null ? "" : Controllership.controllerUid(object.json());
    }

    /**
     * Makes an index known, for as long as the store lives. Any thread; objects that are stored already are not in it
     * before {@link #file}.
     *
     * @return whether it was new: there was none of its name that files objects by the same code
     */
    public synchronized boolean declare(Index<T> index) {
        boolean known = indexes.stream()
                .map(FiledKeys::index)
                .anyMatch(declared -> declared.equals(index) && declared.filesAs(index));
        return !known && indexes.add(new FiledKeys<>(index, guard, slow));
    }

    /** Files a stored object under an index that was declared late. */
    public void file(Index<T> index, ObjectKey key) {
        FiledKeys<T> filed = filed(index);
        StoredObject<T> object = stored(key);
        if (filed != null && object != null) {
            T shown = shown(object);
            if (shown != null) {
                filed.file(key, shown);
            }
        }
    }

    /** The first list is stored. */
    public void markSynced() {
        synced = true;
    }

    /**
     * All up to a version is stored, of a namespace.
     *
     * @param namespace null for all
     */
    public void reach(@Nullable String namespace, String version) {
        String stream = namespace == null ? ALL_NAMESPACES : namespace;
        reached.put(stream, reached.getOrDefault(stream, Reached.NOTHING).next(version));
    }

    /**
     * No stream brings what is in a namespace any more.
     *
     * @param namespace empty where it was that of all
     */
    public void leave(String namespace) {
        reached.remove(namespace);
    }

    @Override
    public String watch() {
        return watch;
    }

    @Override
    public Reached reached(String namespace) {
        Reached everywhere = reached.get(ALL_NAMESPACES);
        return everywhere == null ? reached.getOrDefault(namespace, Reached.NOTHING) : everywhere;
    }

    @Override
    public Optional<T> get(ObjectKey key) {
        return Optional.ofNullable(stored(key)).map(codec::object);
    }

    @Override
    public List<T> list() {
        return decoding(snapshot(null));
    }

    @Override
    public List<T> list(String namespace) {
        return decoding(snapshot(namespace));
    }

    @Override
    public List<T> by(Index<T> index, String value) {
        FiledKeys<T> filed = filed(index);
        if (filed == null) {
            throw new IllegalArgumentException("no index '" + index.name() + "' was declared, only "
                    + indexes.stream().map(each -> each.index().name()).toList());
        }
        return decoding(filed.under(value).stream()
                .map(this::stored)
                .filter(Objects::nonNull)
                .toList());
    }

    @Override
    public int size() {
        return size.get();
    }

    /** Of the JSON of all objects. Any thread. */
    public long bytes() {
        return bytes.get();
    }

    @Override
    public boolean synced() {
        return synced;
    }

    private StoreChange<T> add(PreparedObject<T> prepared, boolean listed) {
        StoredObject<T> added = prepared.stored();
        write(prepared, !listed);
        size.incrementAndGet();
        bytes.addAndGet(added.json().length);
        return change(added, Kind.ADDED, () -> changed(null, shown(prepared), listed));
    }

    private StoreChange<T> modify(StoredObject<T> previous, PreparedObject<T> prepared) {
        StoredObject<T> next = prepared.stored();
        T before = previous.decoded;
        write(prepared, true);
        decoded.forget(previous);
        bytes.addAndGet(next.json().length - previous.json().length);
        return change(
                next,
                Kind.MODIFIED,
                () -> changed(before == null ? shownLast(previous) : before, shown(prepared), false));
    }

    private StoreChange<T> remove(StoredObject<T> previous, PreparedObject<T> last) {
        ObjectKey key = previous.key();
        namespaces.computeIfPresent(key.namespace(), (namespace, named) -> {
            named.remove(key.name());
            return named.isEmpty() ? null : named;
        });
        size.decrementAndGet();
        bytes.addAndGet(-previous.json().length);
        indexes.forEach(index -> index.remove(key));
        decoded.forget(previous);
        return change(last.stored(), Kind.DELETED, () -> {
            T object = last.object(decoding);
            return changed(object == null ? shownLast(last.stored()) : object, null, false);
        });
    }

    /** As triggers and indexes are shown it. */
    private @Nullable T shown(PreparedObject<T> prepared) {
        T object = prepared.object(decoding);
        return object == null ? shown(prepared.stored()) : object;
    }

    private @Nullable T shown(StoredObject<T> stored) {
        return decoding == Decoding.METADATA ? codec.metadata(stored) : codec.object(stored);
    }

    /** The same of what is no longer stored. */
    private @Nullable T shownLast(StoredObject<T> stored) {
        return decoding == Decoding.METADATA ? codec.metadata(stored) : codec.decode(stored);
    }

    /** Files an object and stores it, in this order: who reads it by its key finds it by its values from then on. */
    private void write(PreparedObject<T> prepared, boolean keepDecoded) {
        StoredObject<T> next = prepared.stored();
        ObjectKey key = next.key();
        T whole = prepared.object(Decoding.WHOLE);
        if (whole != null && keepDecoded) {
            decoded.keep(next, whole);
        }
        // In this order: what they look at was said before they were declared.
        List<FiledKeys<T>> declared = List.copyOf(indexes);
        T object = declared.isEmpty() ? null : shown(prepared);
        for (FiledKeys<T> index : declared) {
            if (object == null) {
                index.remove(key);
            } else {
                index.file(key, object);
            }
        }
        namespaces
                .computeIfAbsent(key.namespace(), namespace -> new ConcurrentHashMap<>())
                .put(key.name(), next);
    }

    /** That of the same code; where none is, the first of the name. */
    private @Nullable FiledKeys<T> filed(Index<T> index) {
        FiledKeys<T> named = null;
        for (FiledKeys<T> filed : indexes) {
            if (filed.index().equals(index)) {
                if (filed.index().filesAs(index)) {
                    return filed;
                }
                named = named == null ? filed : named;
            }
        }
        return named;
    }

    private static <T> Optional<Change<T>> changed(@Nullable T before, @Nullable T after, boolean listed) {
        return before == null && after == null ? Optional.empty() : Optional.of(new Change<>(before, after, listed));
    }

    private static <T extends HasMetadata> StoreChange<T> change(
            StoredObject<T> object, Kind kind, Supplier<Optional<Change<T>>> change) {
        return new StoreChange<>(object.key(), kind, object.resourceVersion(), change);
    }

    private @Nullable StoredObject<T> stored(ObjectKey key) {
        Map<String, StoredObject<T>> named = namespaces.get(key.namespace());
        return named == null ? null : named.get(key.name());
    }

    private List<StoredObject<T>> snapshot(@Nullable String namespace) {
        if (namespace != null) {
            return List.copyOf(namespaces.getOrDefault(namespace, Map.of()).values());
        }
        List<StoredObject<T>> all = new ArrayList<>(size.get());
        for (Map<String, StoredObject<T>> named : namespaces.values()) {
            all.addAll(named.values());
        }
        return all;
    }

    private List<T> decoding(List<StoredObject<T>> found) {
        List<StoredObject<T>> fit = found.stream()
                .filter(object -> object.fits || codec.object(object) != null)
                .toList();
        return new DecodingList<>(fit, stored -> Objects.requireNonNull(codec.object(stored)));
    }
}
