package io.busbar.watcher.store;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which objects are decoded, and lets the eldest go when there are too many; one that was read again since
 * gets a second round, so that a walk over many does not push out the few that are read all the time.
 *
 * <p>Any thread; a lock is held for as long as it takes to file an object, and reading takes none. One for all stores
 * of an operator.
 */
public final class DecodedObjects {

    private final long maxBytes;
    /** Each by its identity: another state of the same object is another. */
    private final Set<StoredObject<?>> eldestFirst = new LinkedHashSet<>();

    private long bytes;

    /**
     * @param maxBytes of JSON whose objects may be decoded at a time; on the heap they take about four times as much
     */
    public DecodedObjects(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    <T extends HasMetadata> @Nullable T of(StoredObject<T> stored) {
        T object = stored.decoded;
        if (object != null && !stored.used) {
            stored.used = true;
        }
        return object;
    }

    synchronized <T extends HasMetadata> void keep(StoredObject<T> stored, T object) {
        if (stored.json().length > maxBytes || !eldestFirst.add(stored)) {
            return;
        }
        stored.decoded = object;
        bytes += stored.json().length;
        makeRoom();
    }

    /** Lets go of an object that was replaced or deleted. */
    synchronized void forget(StoredObject<?> stored) {
        if (eldestFirst.remove(stored)) {
            letGo(stored);
        }
    }

    private void makeRoom() {
        while (bytes > maxBytes) {
            Iterator<StoredObject<?>> places = eldestFirst.iterator();
            StoredObject<?> eldest = places.next();
            places.remove();
            if (eldest.used) {
                eldest.used = false;
                eldestFirst.add(eldest);
            } else {
                letGo(eldest);
            }
        }
    }

    private void letGo(StoredObject<?> stored) {
        stored.decoded = null;
        bytes -= stored.json().length;
    }
}
