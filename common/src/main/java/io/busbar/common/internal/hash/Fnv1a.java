package io.busbar.common.internal.hash;

import java.nio.charset.StandardCharsets;

/**
 * FNV-1a of 64 bits: the hash by which API servers tell which range an object belongs to (KEP-5866).
 *
 * <p>Pure; any thread.
 */
public final class Fnv1a {

    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private Fnv1a() {}

    /** Of a text's bytes in UTF-8: an unsigned number. */
    public static long hash(String text) {
        long hash = OFFSET;
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xff)) * PRIME;
        }
        return hash;
    }
}
