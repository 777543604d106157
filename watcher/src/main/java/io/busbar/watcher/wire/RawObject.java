package io.busbar.watcher.wire;

import io.busbar.common.ObjectKey;

/**
 * An object as the API server sent it, less what its watch does not keep; of one that is another replica's, no more
 * than which it is.
 *
 * <p>Immutable, as long as nobody writes to {@link #json()}.
 */
public final class RawObject {

    private final ObjectKey key;
    private final String uid;
    private final String resourceVersion;
    private final byte[] json;
    private final String controllerUid;
    private final boolean another;

    /** One that may be stored, whoever controls it. */
    public RawObject(ObjectKey key, String uid, String resourceVersion, byte[] json) {
        this(key, uid, resourceVersion, json, "", false);
    }

    RawObject(ObjectKey key, String uid, String resourceVersion, byte[] json, String controllerUid, boolean another) {
        this.key = key;
        this.uid = uid;
        this.resourceVersion = resourceVersion;
        this.json = json;
        this.controllerUid = controllerUid;
        this.another = another;
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

    /** The uid of the owner that controls it; empty where nobody does, or where nobody has asked. */
    public String controllerUid() {
        return controllerUid;
    }

    /** Whether another replica works on what controls it, as was known when it arrived: it has no JSON then. */
    public boolean isAnothers() {
        return another;
    }

    /** UTF-8, with apiVersion and kind in front, which the items of a list lack. The array itself, not a copy. */
    public byte[] json() {
        return json;
    }
}
