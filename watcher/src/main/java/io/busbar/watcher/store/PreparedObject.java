package io.busbar.watcher.store;

import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/** An object on its way into a {@link Store}: readied on the thread that received it, to be stored on the watch's own. Immutable. */
public final class PreparedObject<T extends HasMetadata> {

    private final StoredObject<T> stored;
    private final @Nullable T object;

    PreparedObject(StoredObject<T> stored, @Nullable T object) {
        this.stored = stored;
        this.object = object;
    }

    StoredObject<T> stored() {
        return stored;
    }

    /** Null where nobody needed it yet, or it does not fit. */
    @Nullable
    T object() {
        return object;
    }
}
