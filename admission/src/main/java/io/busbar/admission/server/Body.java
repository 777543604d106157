package io.busbar.admission.server;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The bytes of a request as they arrive. Takes memory for what has come, not for what was announced: an array for a
 * body that is short or comes at once, else pieces that are used again.
 *
 * <p>One context.
 */
final class Body {

    private static final byte[] NONE = {};

    private final long announced;
    private final Pieces pieces;
    /** Of the length that was announced; empty where pieces are used. */
    private byte[] whole = NONE;

    private final List<byte[]> parts = new ArrayList<>(0);
    private int length;

    /**
     * @param announced the Content-Length; negative where there is none
     * @param pieces of the same context
     */
    Body(long announced, Pieces pieces) {
        this.announced = announced;
        this.pieces = pieces;
    }

    int length() {
        return length;
    }

    /** How much memory it takes once a chunk has been appended. */
    long capacityWith(Buffer chunk) {
        long needed = (long) length + chunk.length();
        return isInOneArray(chunk) ? announced : (needed + Pieces.BYTES - 1) / Pieces.BYTES * Pieces.BYTES;
    }

    void append(Buffer chunk) {
        if (isInOneArray(chunk)) {
            whole = length == 0 ? new byte[(int) announced] : whole;
            chunk.getBytes(whole, length);
            length += chunk.length();
            return;
        }
        for (int from = 0; from < chunk.length(); ) {
            int at = length % Pieces.BYTES;
            if (at == 0) {
                parts.add(pieces.take());
            }
            int bytes = Math.min(chunk.length() - from, Pieces.BYTES - at);
            chunk.getBytes(from, from + bytes, parts.get(parts.size() - 1), at);
            from += bytes;
            length += bytes;
        }
    }

    /** Forgets what has come. */
    void drop() {
        parts.forEach(pieces::giveBack);
        parts.clear();
        whole = NONE;
        length = 0;
    }

    /** Not to be appended to any more. */
    byte[] complete() {
        if (parts.isEmpty()) {
            return length == whole.length ? whole : Arrays.copyOf(whole, length);
        }
        byte[] all = new byte[length];
        for (int i = 0; i < parts.size(); i++) {
            int from = i * Pieces.BYTES;
            System.arraycopy(parts.get(i), 0, all, from, Math.min(length - from, Pieces.BYTES));
        }
        return all;
    }

    /** @param chunk that is to be appended */
    private boolean isInOneArray(Buffer chunk) {
        return length > 0
                ? parts.isEmpty()
                : chunk.length() == announced || (announced >= 0 && announced <= Pieces.BYTES);
    }
}
