package io.busbar.watcher.store;

import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/**
 * An object on its way into a {@link Store}: readied on the thread that received it, to be stored on the watch's own.
 * Immutable.
 */
public final class PreparedObject<T extends HasMetadata> {

    private final StoredObject<T> stored;
    private final @Nullable T object;
    private final Decoding decoding;

    /**
     * @param object null if it does not fit
     * @param decoding how much of it is there
     */
    PreparedObject(StoredObject<T> stored, @Nullable T object, Decoding decoding) {
        this.stored = stored;
        this.object = object;
        this.decoding = decoding;
    }

    static <T extends HasMetadata> PreparedObject<T> undecoded(StoredObject<T> stored) {
        return new PreparedObject<>(stored, null, Decoding.NOTHING);
    }

    StoredObject<T> stored() {
        return stored;
    }

    /** Null where less of it is there, or it does not fit. */
    @Nullable
    T object(Decoding atLeast) {
        return decoding.compareTo(atLeast) < 0 ? null : object;
    }
}
