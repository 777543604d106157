package io.busbar.watcher.wire;

import io.busbar.common.ObjectKey;

/**
 * An object as the API server sent it, less what its watch does not keep.
 *
 * <p>Immutable, as long as nobody writes to {@link #json()}.
 */
public final class RawObject {

    private final ObjectKey key;
    private final String uid;
    private final String resourceVersion;
    private final byte[] json;

    public RawObject(ObjectKey key, String uid, String resourceVersion, byte[] json) {
        this.key = key;
        this.uid = uid;
        this.resourceVersion = resourceVersion;
        this.json = json;
    }

    public ObjectKey key() {
        return key;
    }

    /** Empty where the server gave none. */
    public String uid() {
        return uid;
    }

    /** Opaque; empty where the server gave none. */
    public String resourceVersion() {
        return resourceVersion;
    }

    /** UTF-8, with apiVersion and kind in front, which the items of a list lack. The array itself, not a copy. */
    public byte[] json() {
        return json;
    }
}
