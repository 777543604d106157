package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/** A digest of a JSON value that does not depend on the order of members. Immutable. */
final class Fingerprint {

    private Fingerprint() {}

    static String of(JsonNode value) {
        MessageDigest digest = sha256();
        add(digest, value);
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void add(MessageDigest digest, JsonNode value) {
        if (value.isObject()) {
            add(digest, "{");
            value.properties().stream().sorted(Map.Entry.comparingByKey()).forEach(field -> {
                add(digest, field.getKey());
                add(digest, field.getValue());
            });
            add(digest, "}");
        } else if (value.isArray()) {
            add(digest, "[");
            value.forEach(element -> add(digest, element));
            add(digest, "]");
        } else {
            add(digest, value.toString());
        }
    }

    /** The zero byte, which JSON text does not hold, ends each part. */
    private static void add(MessageDigest digest, String part) {
        digest.update(part.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }
}
