package io.busbar.admission.server;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Memory for bodies, used again and again: what lives for seconds and is then garbage fills the heap's old generation,
 * and to clear that stops all threads for a tenth of a second.
 *
 * <p>One context. There are never more pieces than the {@link BodyBudget} has allowed at one time; those that are not
 * needed any more are let go by and by.
 */
final class Pieces {

    static final int BYTES = 16 * 1024;

    private final Deque<byte[]> idle = new ArrayDeque<>();
    /** How many were idle all the time since {@link #trim} was called last. */
    private int neverUsed;

    byte[] take() {
        byte[] piece = idle.poll();
        neverUsed = Math.min(neverUsed, idle.size());
        return piece == null ? new byte[BYTES] : piece;
    }

    void giveBack(byte[] piece) {
        idle.push(piece);
    }

    /** Lets go of half of those that nobody has taken since the last call; to be called now and then. */
    void trim() {
        for (int surplus = (neverUsed + 1) / 2; surplus > 0; surplus--) {
            idle.poll();
        }
        neverUsed = idle.size();
    }

    int idle() {
        return idle.size();
    }
}
