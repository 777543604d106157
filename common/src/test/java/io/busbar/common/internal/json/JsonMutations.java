package io.busbar.common.internal.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Breaks a text in one to three places: in bytes, and in words of JSON. */
public final class JsonMutations {

    private static final List<String> WORDS = List.of(
            "null",
            "true",
            "{}",
            "[]",
            "\"\"",
            "-0",
            "1e999",
            "123456789012345678901234567890",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\u0000",
            "\\ud800",
            "\\x",
            "[[[[[[[[",
            "{\"a\":",
            "\"name\":null,",
            "\u0000",
            "\uFEFF",
            "//",
            "'");

    private final byte[] original;
    private final Random random;

    public JsonMutations(String text, Random random) {
        this.original = text.getBytes(StandardCharsets.UTF_8);
        this.random = random;
    }

    public byte[] next() {
        byte[] result = original;
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            result = mutated(result);
        }
        return result;
    }

    private byte[] mutated(byte[] text) {
        int from = random.nextInt(text.length + 1);
        int to = Math.min(text.length, from + random.nextInt(40));
        return switch (random.nextInt(8)) {
            case 0 -> Arrays.copyOf(text, from);
            case 1 -> flipped(text);
            case 2 -> joined(text, from, new byte[0], to);
            case 3 -> joined(text, to, Arrays.copyOfRange(text, from, to), to);
            case 4 -> joined(text, from, noise(), from);
            case 5 -> tokenReplaced(text);
            default -> joined(text, from, word(), random.nextBoolean() ? from : to);
        };
    }

    private byte[] flipped(byte[] text) {
        byte[] result = text.clone();
        if (result.length > 0) {
            result[random.nextInt(result.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return result;
    }

    /** One value becomes another, so that much of what comes out is still JSON. */
    private byte[] tokenReplaced(byte[] text) {
        int colon = random.nextInt(text.length + 1);
        while (colon < text.length && text[colon] != ':') {
            colon++;
        }
        int end = colon;
        while (end < text.length && text[end] != ',' && text[end] != '}') {
            end++;
        }
        return joined(text, Math.min(colon + 1, text.length), word(), Math.max(end, Math.min(colon + 1, text.length)));
    }

    private byte[] word() {
        return WORDS.get(random.nextInt(WORDS.size())).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] noise() {
        byte[] noise = new byte[1 + random.nextInt(8)];
        random.nextBytes(noise);
        return noise;
    }

    private static byte[] joined(byte[] text, int end, byte[] middle, int start) {
        ByteArrayOutputStream result = new ByteArrayOutputStream();
        result.write(text, 0, end);
        result.writeBytes(middle);
        result.write(text, start, text.length - start);
        return result.toByteArray();
    }
}
