package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** A digest of a JSON value that does not depend on the order of members. Immutable. */
final class Fingerprint {

    private Fingerprint() {}

    static String of(JsonNode value) {
        StringBuilder text = new StringBuilder();
        add(text, value);
        return HexFormat.of().formatHex(sha256().digest(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static void add(StringBuilder text, JsonNode value) {
        if (value.isObject()) {
            Map<String, JsonNode> sorted = new TreeMap<>();
            value.properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
            text.append('{');
            sorted.forEach((name, field) -> {
                add(text, name);
                add(text, field);
            });
            text.append('}');
        } else if (value.isArray()) {
            text.append('[');
            value.forEach(element -> add(text, element));
            text.append(']');
        } else {
            text.append(value.isTextual() ? 't' : 'v');
            add(text, value.asText());
        }
    }

    /** With its length, so that it is told apart from what follows. */
    private static void add(StringBuilder text, String part) {
        text.append(part.length()).append(':').append(part);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }
}
