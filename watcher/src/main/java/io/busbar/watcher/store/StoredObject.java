package io.busbar.watcher.store;

import io.busbar.common.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/**
 * One state of one object: its JSON, and for a while the object that it stands for.
 *
 * <p>Any thread. All but the decoded object never changes.
 */
final class StoredObject<T extends HasMetadata> {

    private final ObjectKey key;
    private final String uid;
    private final String resourceVersion;
    private final byte[] json;

    /** Whether its JSON has been decoded once, and how that went; both false while nobody has tried. */
    volatile boolean fits;

    volatile boolean unfit;

    /** Set and cleared by {@link DecodedObjects} alone. */
    volatile @Nullable T decoded;

    /** Whether the decoded object was asked for again; a lost write costs no more than a decoding. */
    volatile boolean used;

    StoredObject(ObjectKey key, String uid, String resourceVersion, byte[] json) {
        this.key = key;
        this.uid = uid;
        this.resourceVersion = resourceVersion;
        this.json = json;
    }

    ObjectKey key() {
        return key;
    }

    String uid() {
        return uid;
    }

    String resourceVersion() {
        return resourceVersion;
    }

    byte[] json() {
        return json;
    }
}
