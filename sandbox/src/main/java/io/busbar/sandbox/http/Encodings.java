package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of the latest objects that were sent, since each is wanted several times in a row: by the client that wrote
 * it, and by every watch.
 *
 * <p>One context. Objects are told apart by identity, and must not be changed once they were given here.
 */
final class Encodings {

    /** A power of two. */
    private static final int KEPT = 256;

    private static final int LARGEST = 32 * 1024;

    private final @Nullable ObjectNode[] objects = new ObjectNode[KEPT];
    private final byte[][] encoded = new byte[KEPT][];

    /** Shared: not to be changed. */
    @SuppressWarnings("ReferenceEquality") // Of two equal objects, one may be about to change.
    byte[] of(ObjectNode object) {
        int slot = System.identityHashCode(object) & (KEPT - 1);
        if (objects[slot] == object) {
            return encoded[slot];
        }
        byte[] json = Json.write(object);
        if (json.length <= LARGEST) {
            objects[slot] = object;
            encoded[slot] = json;
        }
        return json;
    }
}
