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

    private final Kept whole = new Kept();
    private final Kept withoutManagedFields = new Kept();

    /** Shared: not to be changed. */
    byte[] of(ObjectNode object, boolean dropsManagedFields) {
        Kept kept = dropsManagedFields ? withoutManagedFields : whole;
        byte[] known = kept.of(object);
        if (known != null) {
            return known;
        }
        byte[] json = Json.write(dropsManagedFields ? Renderer.withoutManagedFields(object) : object);
        if (json.length <= LARGEST) {
            kept.keep(object, json);
        }
        return json;
    }

    /** Those of one form. */
    private static final class Kept {

        private final @Nullable ObjectNode[] objects = new ObjectNode[KEPT];
        private final byte[][] encoded = new byte[KEPT][];

        @SuppressWarnings("ReferenceEquality") // Of two equal objects, one may be about to change.
        byte @Nullable [] of(ObjectNode object) {
            int slot = slot(object);
            return objects[slot] == object ? encoded[slot] : null;
        }

        void keep(ObjectNode object, byte[] json) {
            int slot = slot(object);
            objects[slot] = object;
            encoded[slot] = json;
        }

        private static int slot(ObjectNode object) {
            return System.identityHashCode(object) & (KEPT - 1);
        }
    }
}
