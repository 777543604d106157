package io.busbar.reconciler.write;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceVersions;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a controller wrote and its watches have not shown yet, laid over their stores.
 *
 * <p>A write is shown until the store has a newer version, where versions can be compared, or any other version than at the
 * time of the write or before, where they can't; until the object is seen to be deleted; and for {@link #LIFETIME} at most,
 * since a watch need not cover what was written.
 *
 * <p>Any thread.
 */
public final class OwnWrites {

    static final Duration LIFETIME = Duration.ofMinutes(1);
    private static final int MOST = 10_000;

    private final Map<Class<?>, Map<ObjectKey, Written>> byType = new ConcurrentHashMap<>();
    private final Deletions deletions;
    private final LongSupplier clock;

    /**
     * @param clock nanoseconds that do not go back, as {@link System#nanoTime()}
     */
    public OwnWrites(LongSupplier clock) {
        this.clock = clock;
        this.deletions = new Deletions(clock);
    }

    /**
     * @param stored whether the store had an object of this uid when this one was written
     * @param older where versions have no order, those that the store may still show: what it had then, and earlier own writes
     * @param deletion whether the write was a deletion: over once the store shows the object as being deleted
     */
    private record Written(HasMetadata object, boolean stored, Set<String> older, boolean deletion, long at) {}

    /** Listers that see own writes. */
    public Listers over(Listers stores) {
        return new Listers() {
            @Override
            public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
                return new OverlaidLister<>(type, stores.lister(type), OwnWrites.this);
            }
        };
    }

    /**
     * Lays an object over its store, unless the watch has seen it go already.
     *
     * @param stored what the store has
     */
    public void remember(HasMetadata written, Optional<? extends HasMetadata> stored) {
        Map<ObjectKey, Written> writes = byType.computeIfAbsent(written.getClass(), type -> new ConcurrentHashMap<>());
        makeRoom(writes);
        boolean known = stored.filter(old -> sameUid(old, written)).isPresent();
        ObjectKey name = ObjectKey.of(written);
        Written laid = writes.compute(name, (key, before) -> {
            boolean ordered = ResourceVersions.isNumber(version(written));
            Set<String> older = ordered ? Set.of() : older(stored, before);
            return new Written(written, known, older, false, clock.getAsLong());
        });
        // Looked up last: a deletion that is seen from now on finds the write.
        if (deletions.cover(written.getClass(), name, version(written))) {
            writes.remove(name, laid);
        }
    }

    /**
     * Shows an object as being deleted until the store does.
     *
     * @param deleted is changed
     * @param stored whether the store has it
     */
    void rememberDeletion(HasMetadata deleted, boolean stored) {
        if (deleted.getMetadata().getDeletionTimestamp() == null) {
            deleted.getMetadata().setDeletionTimestamp(Instant.now().toString());
        }
        Map<ObjectKey, Written> writes = byType.computeIfAbsent(deleted.getClass(), type -> new ConcurrentHashMap<>());
        makeRoom(writes);
        writes.put(ObjectKey.of(deleted), new Written(deleted, stored, Set.of(), true, clock.getAsLong()));
    }

    private static Set<String> older(Optional<? extends HasMetadata> stored, @Nullable Written before) {
        Set<String> older = new HashSet<>();
        stored.map(OwnWrites::version).ifPresent(older::add);
        if (before != null) {
            older.addAll(before.older());
            older.add(version(before.object()));
        }
        return older;
    }

    private static void makeRoom(Map<ObjectKey, Written> writes) {
        if (writes.size() >= MOST) {
            writes.entrySet().stream()
                    .min(Comparator.comparingLong(entry -> entry.getValue().at()))
                    .ifPresent(oldest -> writes.remove(oldest.getKey(), oldest.getValue()));
        }
    }

    private static boolean sameUid(HasMetadata one, HasMetadata other) {
        return Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid());
    }

    /**
     * The object as reads are to see it. The store is read after the writes: a write that is gone by then is in the store.
     */
    <T extends HasMetadata> Optional<T> latest(Class<T> type, ObjectKey key, Lister<T> store) {
        Map<ObjectKey, Written> writes = byType.getOrDefault(type, Map.of());
        Written written = writes.get(key);
        Optional<T> stored = store.get(key);
        if (written == null) {
            return stored;
        }
        if (isOver(written, stored)) {
            writes.remove(key, written);
            return stored;
        }
        return Optional.of(type.cast(written.object()));
    }

    private boolean isOver(Written written, Optional<? extends HasMetadata> stored) {
        if (clock.getAsLong() - written.at() > LIFETIME.toNanos()) {
            return true;
        }
        if (stored.isEmpty()) {
            return written.stored();
        }
        if (written.deletion()) {
            return stored.get().isMarkedForDeletion() || !sameUid(stored.get(), written.object());
        }
        String version = version(stored.get());
        OptionalInt order = ResourceVersions.compare(version, version(written.object()));
        return order.isPresent() ? order.getAsInt() >= 0 : !written.older().contains(version);
    }

    /** The writes that a list of this type has to show, by key; to be asked for before the store is listed. */
    <T extends HasMetadata> Map<ObjectKey, T> pending(Class<T> type, Lister<T> store) {
        Map<ObjectKey, Written> writes = byType.getOrDefault(type, Map.of());
        if (writes.isEmpty()) {
            return Map.of();
        }
        Map<ObjectKey, T> pending = new HashMap<>();
        writes.forEach((key, written) -> {
            if (isOver(written, store.get(key))) {
                writes.remove(key, written);
            } else {
                pending.put(key, type.cast(written.object()));
            }
        });
        return pending;
    }

    /** Drops a write that the store has caught up with. */
    public <T extends HasMetadata> void settle(Class<T> type, ObjectKey key, Listers stores) {
        if (byType.getOrDefault(type, Map.of()).containsKey(key)) {
            latest(type, key, stores.lister(type));
        }
    }

    /**
     * Takes note that an object was deleted at a version. Where a type is watched in several ways it may be another watch that saw
     * this, so an own deletion that the store does not show yet stays.
     */
    public <T extends HasMetadata> void deleted(Class<T> type, ObjectKey key, String version, Listers stores) {
        deletions.note(type, key, version);
        Map<ObjectKey, Written> writes = byType.getOrDefault(type, Map.of());
        Written written = writes.get(key);
        if (written == null || isRecreation(written, version)) {
            return;
        }
        Optional<T> stored = written.deletion() ? stores.lister(type).get(key) : Optional.empty();
        if (stored.isEmpty() || isOver(written, stored)) {
            writes.remove(key, written);
        }
    }

    /** The object deleted may be the one before the one that was written. */
    private static boolean isRecreation(Written written, String deleted) {
        return !written.stored()
                && ResourceVersions.compare(deleted, version(written.object())).orElse(0) < 0;
    }

    private static String version(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), "");
    }
}
