package io.busbar.sandbox.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.status.StatusException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind, by namespace and name, and their latest changes.
 *
 * <p>One context. Objects are shared with every reader: none is ever changed.
 */
public final class Shelf {

    private final NavigableMap<ObjectKey, ObjectNode> objects = new TreeMap<>();
    private final EventLog log;
    private final Set<WatchCursor> cursors = new LinkedHashSet<>();
    private final LongSupplier horizon;

    /** @param horizon the revision up to which watches may read for now */
    Shelf(int history, long revision, LongSupplier horizon) {
        this.log = new EventLog(history, revision);
        this.horizon = horizon;
    }

    public @Nullable ObjectNode get(ObjectKey key) {
        return objects.get(key);
    }

    /** A view of what is there, in order; empty namespace for all. */
    public NavigableMap<ObjectKey, ObjectNode> objects(String namespace) {
        return namespace.isEmpty() ? objects : objects.subMap(first(namespace), true, first(namespace + "\0"), false);
    }

    /**
     * What was there right after a past revision, in order.
     *
     * @throws StatusException 410 when the changes since then are no longer known
     */
    public NavigableMap<ObjectKey, ObjectNode> objectsAt(String namespace, long revision) {
        if (revision < log.compacted()) {
            throw StatusException.expired("The provided resource version is too old.");
        }
        if (log.after(revision) == log.end()) {
            return objects(namespace);
        }
        Map<ObjectKey, @Nullable ObjectNode> before = new HashMap<>();
        for (long position = log.end() - 1; position >= log.after(revision); position--) {
            StoreEvent event = log.at(position);
            before.put(event.key(), event.previous());
        }
        NavigableMap<ObjectKey, ObjectNode> past = new TreeMap<>(objects(namespace));
        before.forEach((key, object) -> {
            if (object == null) {
                past.remove(key);
            } else if (namespace.isEmpty() || namespace.equals(key.namespace())) {
                past.put(key, object);
            }
        });
        return past;
    }

    /** The oldest revision of which all is known. */
    public long oldest() {
        return log.compacted();
    }

    /** Lists and watches up to this revision answer 410 from now on. */
    public void compact(long revision) {
        log.compact(revision);
    }

    /**
     * Starts a watch.
     *
     * @param revision after which changes are wanted
     * @param wake called, on this context, when there may be something to read
     * @throws StatusException 410 when changes since that revision are no longer known
     */
    public WatchCursor watch(long revision, Runnable wake) {
        if (revision < log.compacted()) {
            throw StatusException.expired("too old resource version: " + revision + " (" + log.compacted() + ")");
        }
        WatchCursor cursor = new WatchCursor(log, revision, horizon, wake, cursors::remove);
        cursors.add(cursor);
        return cursor;
    }

    Collection<WatchCursor> cursors() {
        return cursors;
    }

    /** Puts an object there of which no watch is told. */
    void put(ObjectKey key, ObjectNode object) {
        objects.put(key, object);
    }

    void apply(StoreEvent event) {
        if (event.type() == StoreEvent.Type.DELETED) {
            objects.remove(event.key());
        } else {
            objects.put(event.key(), event.object());
        }
        log.append(event);
    }

    private static ObjectKey first(String namespace) {
        return new ObjectKey(namespace, "\0");
    }
}
