package io.busbar.sandbox.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.status.StatusException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All objects of the cluster, with one revision that each write raises by one.
 *
 * <p>One context. An object that is handed in belongs to the store from then on, and gets its resourceVersion there. A
 * write names what it replaces by the very object that was read, so that a lost race shows.
 */
public final class MemoryStore {

    private static final Logger log = LoggerFactory.getLogger(MemoryStore.class);

    private final Map<GroupResource, Shelf> shelves = new HashMap<>();
    private final Set<Shelf> changed = new LinkedHashSet<>();
    private final List<Consumer<StoreEvent>> hooks = new ArrayList<>();
    private final KnownFields fields = new KnownFields();
    private final Executor later;
    private final int history;
    private Consumer<StoreEvent> journal = event -> {};
    private LongConsumer compactions = reached -> {};
    private ToLongFunction<GroupResource> horizon = resource -> revision();
    private long revision;
    /** The history up to this revision is not known. */
    private long compacted;

    private boolean waking;

    /**
     * @param history how many changes of a kind are kept for watches
     * @param later runs a task on this context, after the current one
     */
    public MemoryStore(int history, Executor later) {
        this.history = history;
        this.later = later;
    }

    /** The latest revision. */
    public long revision() {
        return revision;
    }

    public Shelf shelf(GroupResource resource) {
        return shelves.computeIfAbsent(
                resource, absent -> new Shelf(history, compacted, () -> horizon.applyAsLong(resource)));
    }

    /** Calls a hook with each change, within the write: it must not write itself. */
    public void onChange(Consumer<StoreEvent> hook) {
        hooks.add(hook);
    }

    /**
     * Holds back from watches what comes after a revision.
     *
     * @param value the revision up to which a kind's watches may read, at most the latest; when it grows,
     *     {@link #wakeWatches} tells them
     */
    public void limitWatches(ToLongFunction<GroupResource> value) {
        horizon = value;
    }

    /** Tells the watches of a kind that there may be something to read. */
    public void wakeWatches(GroupResource resource) {
        List.copyOf(shelf(resource).cursors()).forEach(MemoryStore::wake);
    }

    /** Calls a hook before each change; one that throws prevents it. */
    public void beforeChange(Consumer<StoreEvent> hook) {
        journal = hook;
    }

    /** Calls a hook with the revision of each compaction before it is made; one that throws prevents it. */
    public void beforeCompaction(LongConsumer hook) {
        compactions = hook;
    }

    /**
     * Puts back what was there before, into an empty store, and tells the hooks of each object. Watches go on from any
     * revision that the past knows.
     */
    public void restore(Past past) {
        if (revision != 0) {
            throw new IllegalStateException("the store is at revision " + revision + ", and not empty");
        }
        compacted = past.revision();
        revision = compacted;
        past.objects().forEach(event -> shelf(event.resource()).put(event.key(), event.object()));
        past.changes().forEach(this::replay);
        if (past.compacted() > compacted) {
            forget(past.compacted());
        }
        everything().forEach(event -> hooks.forEach(hook -> hook.accept(event)));
    }

    private void replay(StoreEvent event) {
        Shelf shelf = shelf(event.resource());
        ObjectNode previous = shelf.get(event.key());
        ObjectNode object = previous == null ? event.object() : (ObjectNode) Sharing.share(previous, event.object());
        revision = event.revision();
        shelf.apply(new StoreEvent(event.type(), revision, event.resource(), event.key(), object, previous));
    }

    /** All that is there, each as if it were made now. */
    public List<StoreEvent> everything() {
        List<StoreEvent> events = new ArrayList<>();
        shelves.forEach((resource, shelf) -> shelf.objects("")
                .forEach((key, object) ->
                        events.add(new StoreEvent(StoreEvent.Type.ADDED, revision, resource, key, object, null))));
        return events;
    }

    /** @throws StatusException 409 when it is there already */
    public ObjectNode create(GroupResource resource, ObjectKey key, ObjectNode object) {
        if (shelf(resource).get(key) != null) {
            throw StatusException.alreadyExists(resource, key.name());
        }
        return write(StoreEvent.Type.ADDED, resource, key, object, null);
    }

    /** @return what is stored now, or null when {@code before} no longer is */
    public @Nullable ObjectNode replace(GroupResource resource, ObjectKey key, ObjectNode before, ObjectNode after) {
        return holds(resource, key, before) ? write(StoreEvent.Type.MODIFIED, resource, key, after, before) : null;
    }

    /**
     * @param last the object's final form, a copy that the store may keep
     * @return the final form with the deletion's resourceVersion, or null when {@code before} is no longer stored
     */
    public @Nullable ObjectNode remove(GroupResource resource, ObjectKey key, ObjectNode before, ObjectNode last) {
        return holds(resource, key, before) ? write(StoreEvent.Type.DELETED, resource, key, last, before) : null;
    }

    /** Forgets the history of all kinds, as a compaction does: no revision up to now can be begun from. */
    public void compact() {
        long next = revision + 1;
        compactions.accept(next);
        forget(next);
    }

    private void forget(long reached) {
        revision = Math.max(revision, reached);
        compacted = reached;
        shelves.values().forEach(shelf -> shelf.compact(compacted));
    }

    @SuppressWarnings("ReferenceEquality") // Stored objects never change: the very object is the version.
    private boolean holds(GroupResource resource, ObjectKey key, ObjectNode before) {
        return shelf(resource).get(key) == before;
    }

    private ObjectNode write(
            StoreEvent.Type type,
            GroupResource resource,
            ObjectKey key,
            ObjectNode object,
            @Nullable ObjectNode previous) {
        long next = revision + 1;
        // A copy: the form before may share its metadata.
        ObjectNode metadata = object.objectNode();
        metadata.setAll(object.withObject("/metadata"));
        object.set("metadata", metadata.put("resourceVersion", Long.toString(next)));
        fields.share(metadata);
        StoreEvent event = new StoreEvent(type, next, resource, key, object, previous);
        journal.accept(event);
        revision = next;
        Shelf shelf = shelf(resource);
        shelf.apply(event);
        hooks.forEach(hook -> hook.accept(event));
        changed.add(shelf);
        if (!waking) {
            waking = true;
            later.execute(this::wake);
        }
        return object;
    }

    private void wake() {
        waking = false;
        List<Shelf> shelvesToWake = List.copyOf(changed);
        changed.clear();
        for (Shelf shelf : shelvesToWake) {
            List.copyOf(shelf.cursors()).forEach(MemoryStore::wake);
        }
    }

    /** A watch that breaks must not keep the others from what there is to read: nothing else may ever wake them. */
    private static void wake(WatchCursor cursor) {
        try {
            cursor.wake();
        } catch (RuntimeException e) {
            cursor.close();
            log.atError().setCause(e).log("a watch broke and has ended");
        }
    }
}
