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

    private byte[] bytes;
    private int length;

    /**
     * @param announced the Content-Length; negative where there is none
     */
    Body(long announced) {
        bytes = new byte[announced < 0 ? FIRST : (int) Math.min(announced, FIRST)];
    }

    int length() {
        return length;
    }

    void append(Buffer chunk) {
        int needed = Math.addExact(length, chunk.length());
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length * 2));
        }
        chunk.getBytes(bytes, length);
        length = needed;
    }

    /** Not to be appended to any more. */
    byte[] complete() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }
}
