package io.busbar.charts.render;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A short text that differs where contents do. */
final class Hash {

    private static final int BYTES = 8;

    private Hash() {}

    static String of(byte[] content) {
        try {
            byte[] whole = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(whole, 0, BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
