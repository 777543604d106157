package io.busbar.reconciler.write;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceVersions;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.Reached;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a controller wrote and its watches have not shown yet, laid over their stores.
 *
 * <p>A write stays until the store of its watch has {@linkplain Lister#reached reached} its resourceVersion, or shows
 * the object at that version or a newer one: however long that takes, and whether or not the object is still there by
 * then. A deletion, whose answer need not tell its version, stays until the store shows the object as being deleted, or
 * no longer after it has reached the version that was deleted.
 *
 * <ul>
 *   <li>A write that its watch does not cover, for instance because of its labels, stays until the watch has passed it
 *       by a change of another object, a bookmark or a list. What is in a namespace that the watch leaves out is not
 *       laid over at all.
 *   <li>When the versions of a watch went back, nobody knows which writes are still there: the API server is
 *       {@linkplain #resolveDoubts asked} for each before the next reconcile.
 *   <li>Versions that are not numbers have no order. What has such a version is not laid over: a reconcile may then
 *       read what was there before its own writes. No API server is known that gives such versions; since Kubernetes
 *       1.35 they are promised to be numbers.
 * </ul>
 *
 * <p>Memory: one object for each that was written since its watch was last heard of. It cannot be less: who forgets a
 * write that the watch has not shown does it again.
 *
 * <p>Any thread.
 */
public final class OwnWrites {

    /** So many writes are laid over before those that are over are looked for. */
    private static final int FEW = 64;

    private final String cluster;
    private final Listers stores;
    private final Consumer<HasMetadata> observer;
    private final Map<Class<?>, Overlay> overlays = new ConcurrentHashMap<>();
    private final Set<Place> doubts = ConcurrentHashMap.newKeySet();

    /**
     * @param stores without own writes; each type's is that of the watch that counts for this controller
     */
    public OwnWrites(Listers stores) {
        this("", stores, written -> {});
    }

    /**
     * @param cluster that the stores are of; empty for the operator's own
     * @param observer told of each object that was written, on the thread that wrote it; must not throw
     */
    public OwnWrites(String cluster, Listers stores, Consumer<HasMetadata> observer) {
        this.cluster = cluster;
        this.stores = stores;
        this.observer = observer;
    }

    private record Place(Class<? extends HasMetadata> type, ObjectKey key) {}

    /**
     * @param object as it was written; for a deletion as it was, but with a deletionTimestamp
     * @param history of the versions of the store at that time
     */
    private record Written(HasMetadata object, boolean deletion, int history) {

        String version() {
            return OwnWrites.version(object);
        }

        boolean isOver(Reached reached, Optional<? extends HasMetadata> stored) {
            if (reached.version().isEmpty()) {
                return true; // its namespace is not watched any more
            }
            if (reached.history() != history) {
                return false;
            }
            boolean same = stored.isPresent() && uid(stored.get()).equals(uid(object));
            if (deletion && same) {
                return stored.get().isMarkedForDeletion();
            }
            return reached.includes(version()) || (stored.isPresent() && !isOlder(stored.get(), object));
        }

        private static boolean isOlder(HasMetadata one, HasMetadata other) {
            return ResourceVersions.compare(OwnWrites.version(one), OwnWrites.version(other))
                            .orElse(-1)
                    < 0;
        }

        /**
         * Answers can come in another order than the writes that they are of; and what is being deleted does not come
         * back.
         */
        Written or(Written before) {
            if (history != before.history) {
                return this;
            }
            boolean same = uid(object).equals(uid(before.object));
            if (same && deletion != before.deletion) {
                return deletion ? this : before;
            }
            return isOlder(object, before.object) ? before : this;
        }
    }

    /** The writes of one type. */
    private static final class Overlay {
        private final Map<ObjectKey, Written> writes = new ConcurrentHashMap<>();
        private final AtomicInteger many = new AtomicInteger(FEW);
    }

    /** Whether a key says that its object is in another cluster than these. */
    boolean isElsewhere(ObjectKey key) {
        return !key.cluster().isEmpty() && !key.cluster().equals(cluster);
    }

    /** Listers that see own writes. */
    public Listers over(Listers below) {
        return new Listers() {
            @Override
            public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
                return new OverlaidLister<>(type, below.lister(type), OwnWrites.this);
            }
        };
    }

    /**
     * Lays an object over its store, unless the store has passed its version already.
     *
     * @param written as the API server has answered
     * @throws IllegalArgumentException when its kind is not watched: nothing would ever read this
     */
    public <T extends HasMetadata> void remember(T written) {
        observer.accept(written);
        lay(written, false);
    }

    /**
     * The same for an object that was read from the API server itself, not written.
     *
     * @throws IllegalArgumentException as with {@link #remember}
     */
    public <T extends HasMetadata> void rememberRead(T live) {
        lay(live, false);
    }

    /**
     * Shows an object as being deleted until the store does, or has passed it.
     *
     * @param deleted is changed
     */
    <T extends HasMetadata> void rememberDeletion(T deleted) {
        if (deleted.getMetadata().getDeletionTimestamp() == null) {
            deleted.getMetadata().setDeletionTimestamp(Instant.now().toString());
        }
        lay(deleted, true);
    }

    private <T extends HasMetadata> void lay(T object, boolean deletion) {
        @SuppressWarnings("unchecked") // an object's class is a class of its type
        Class<T> type = (Class<T>) object.getClass();
        Lister<T> store = stores.lister(type);
        ObjectKey key = ObjectKey.of(object);
        Reached reached = store.reached(key.namespace());
        boolean passable = ResourceVersions.isNumber(version(object)) && ResourceVersions.isNumber(reached.version());
        if (!passable) {
            return;
        }
        Overlay overlay = overlays.computeIfAbsent(type, added -> new Overlay());
        Written laid = new Written(object, deletion, reached.history());
        overlay.writes.merge(key, laid, (before, now) -> now.or(before));
        // Asked afterwards, too: of a change that is stored from now on, its message settles the write.
        settle(type, key);
        if (overlay.writes.size() >= overlay.many.get()) {
            pending(type, store);
            overlay.many.set(Math.max(FEW, 2 * overlay.writes.size()));
        }
    }

    /**
     * The object as reads are to see it. The store is read after the writes: a write that is gone by then is in the
     * store.
     */
    <T extends HasMetadata> Optional<T> latest(Class<T> type, ObjectKey key, Lister<T> store) {
        Map<ObjectKey, Written> writes = writes(type);
        Written written = writes.get(key);
        if (written == null) {
            return store.get(key);
        }
        Reached reached = store.reached(key.namespace());
        Optional<T> stored = store.get(key);
        if (written.isOver(reached, stored)) {
            writes.remove(key, written);
            return stored;
        }
        noteDoubt(type, key, written, reached);
        return Optional.of(type.cast(written.object()));
    }

    /** The writes that a list of this type has to show, by key; to be asked for before the store is listed. */
    <T extends HasMetadata> Map<ObjectKey, T> pending(Class<T> type, Lister<T> store) {
        Map<ObjectKey, Written> writes = writes(type);
        if (writes.isEmpty()) {
            return Map.of();
        }
        Map<ObjectKey, T> pending = new HashMap<>();
        writes.forEach((key, written) -> {
            Reached reached = store.reached(key.namespace());
            if (written.isOver(reached, store.get(key))) {
                writes.remove(key, written);
            } else {
                noteDoubt(type, key, written, reached);
                pending.put(key, type.cast(written.object()));
            }
        });
        return pending;
    }

    /** Drops a write that the store has caught up with. */
    public <T extends HasMetadata> void settle(Class<T> type, ObjectKey key) {
        if (writes(type).containsKey(key)) {
            latest(type, key, stores.lister(type));
        }
    }

    /**
     * Takes note that the watch of a type has listed a namespace anew.
     *
     * @param namespace empty for all
     * @return that whose owners are to look again, as nobody was told: what was laid over the store until now and is
     *     not in it, since it went while nobody watched; and what is in doubt
     */
    public <T extends HasMetadata> List<HasMetadata> listed(Class<T> type, String namespace) {
        Map<ObjectKey, Written> writes = writes(type);
        Lister<T> store = writes.isEmpty() ? null : stores.lister(type);
        List<HasMetadata> untold = new ArrayList<>();
        writes.forEach((key, written) -> {
            if (store == null || !(namespace.isEmpty() || namespace.equals(key.namespace()))) {
                return;
            }
            Reached reached = store.reached(key.namespace());
            Optional<T> stored = store.get(key);
            boolean gone = written.isOver(reached, stored) && writes.remove(key, written) && stored.isEmpty();
            if (gone || noteDoubt(type, key, written, reached)) {
                untold.add(written.object());
            }
        });
        return untold;
    }

    private boolean noteDoubt(Class<? extends HasMetadata> type, ObjectKey key, Written written, Reached reached) {
        boolean doubtful = reached.history() != written.history();
        if (doubtful) {
            doubts.add(new Place(type, key));
        }
        return doubtful;
    }

    /** Whether there is something for {@link #resolveDoubts}. */
    public boolean inDoubt() {
        return !doubts.isEmpty();
    }

    /**
     * Looks at what may be lost since versions went back: what is still there stays laid over, the rest is not.
     *
     * @param live reads the object from the API server, as it is now; asked nothing where there is no doubt
     * @return what is lost
     * @throws RuntimeException that of {@code live}; the doubt remains
     */
    public List<HasMetadata> resolveDoubts(Function<HasMetadata, Optional<? extends HasMetadata>> live) {
        List<HasMetadata> lost = new ArrayList<>();
        for (Place place : List.copyOf(doubts)) {
            if (!doubts.remove(place)) {
                continue; // another thread looks at it
            }
            Map<ObjectKey, Written> writes = writes(place.type());
            Written written = writes.get(place.key());
            if (written == null) {
                continue;
            }
            try {
                Optional<? extends HasMetadata> there = live.apply(written.object())
                        .filter(object -> uid(object).equals(uid(written.object())));
                writes.remove(place.key(), written);
                there.ifPresentOrElse(this::rememberRead, () -> lost.add(written.object()));
            } catch (RuntimeException unknown) {
                doubts.add(place);
                throw unknown;
            }
        }
        return lost;
    }

    /** How many objects are held, those that are over but not found to be included. */
    int size() {
        return overlays.values().stream()
                .mapToInt(overlay -> overlay.writes.size())
                .sum();
    }

    private Map<ObjectKey, Written> writes(Class<?> type) {
        Overlay overlay = overlays.get(type);
        return overlay == null ? Map.of() : overlay.writes;
    }

    private static String uid(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getUid(), "");
    }

    private static String version(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), "");
    }
}
