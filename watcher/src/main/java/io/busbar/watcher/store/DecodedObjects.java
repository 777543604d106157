package io.busbar.watcher.store;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which objects are decoded, and lets the eldest go when there are too many; one that was read again since gets a
 * second round, so that a walk over many does not push out the few that are read all the time.
 *
 * <p>Any thread; never blocks. One for all stores of an operator.
 */
public final class DecodedObjects {

    private final long maxBytes;
    private final Queue<StoredObject<?>> eldestFirst = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong();

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

    <T extends HasMetadata> void keep(StoredObject<T> stored, T object) {
        if (stored.decoded != null || stored.json().length > maxBytes) {
            return;
        }
        stored.decoded = object;
        eldestFirst.add(stored);
        if (bytes.addAndGet(stored.json().length) > maxBytes) {
            makeRoom();
        }
    }

    /** Lets go of an object that was replaced or deleted; its place frees up when its turn comes. */
    void forget(StoredObject<?> stored) {
        stored.decoded = null;
    }

    private void makeRoom() {
        while (bytes.get() > maxBytes) {
            StoredObject<?> eldest = eldestFirst.poll();
            if (eldest == null) {
                return;
            }
            if (eldest.used && eldest.decoded != null) {
                eldest.used = false;
                eldestFirst.add(eldest);
            } else {
                eldest.decoded = null;
                bytes.addAndGet(-eldest.json().length);
            }
        }
    }
}
