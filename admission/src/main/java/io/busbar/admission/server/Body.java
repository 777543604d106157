package io.busbar.admission.server;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/**
 * The bytes of a request as they arrive. Takes memory for what has come, not for what was announced.
 *
 * <p>One context.
 */
final class Body {

    private static final int FIRST = 16 * 1024;
    private static final byte[] NONE = {};

    private final long announced;
    private byte[] bytes = NONE;
    private int length;

    /**
     * @param announced the Content-Length; negative where there is none
     */
    Body(long announced) {
        this.announced = announced;
    }

    int length() {
        return length;
    }

    /** How much memory it takes once a chunk has been appended. */
    int capacityWith(Buffer chunk) {
        int needed = Math.addExact(length, chunk.length());
        if (needed <= bytes.length) {
            return bytes.length;
        }
        long ample = Math.max(FIRST, 2L * bytes.length);
        return (int) Math.max(needed, announced < 0 ? ample : Math.min(announced, ample));
    }

    void append(Buffer chunk) {
        int capacity = capacityWith(chunk);
        if (capacity > bytes.length) {
            bytes = Arrays.copyOf(bytes, capacity);
        }
        chunk.getBytes(bytes, length);
        length += chunk.length();
    }

    /** Forgets what has come. */
    void drop() {
        bytes = NONE;
        length = 0;
    }

    /** Not to be appended to any more. */
    byte[] complete() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }
}
