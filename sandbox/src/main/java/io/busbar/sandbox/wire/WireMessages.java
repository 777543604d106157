package io.busbar.sandbox.wire;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The messages that are understood, by name, such as {@code core.v1.Pod}.
 *
 * <p>Immutable; read from {@code messages.txt} when first asked.
 */
final class WireMessages {

    /**
     * One field of a message.
     *
     * @param type a letter for a scalar, else the name of a message
     * @param kept whether a zero is told apart from nothing
     * @param inlined whether the fields of the message are those of the message around it
     */
    record Field(String name, String type, boolean repeated, boolean map, boolean kept, boolean inlined) {}

    private static final Map<String, Map<Integer, Field>> MESSAGES = read();

    private WireMessages() {}

    /** The fields of a message by number; null for one that is not known. */
    static @Nullable Map<Integer, Field> fields(String message) {
        return MESSAGES.get(message);
    }

    private static Map<String, Map<Integer, Field>> read() {
        InputStream resource = Objects.requireNonNull(WireMessages.class.getResourceAsStream("messages.txt"));
        Map<String, Map<Integer, Field>> messages = new HashMap<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
            lines.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
                int colon = line.indexOf(':');
                messages.put(
                        line.substring(0, colon),
                        fieldsOf(line.substring(colon + 1).trim()));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.copyOf(messages);
    }

    private static Map<Integer, Field> fieldsOf(String text) {
        Map<Integer, Field> fields = new HashMap<>();
        for (String field : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            String[] parts = field.split(" ", -1);
            String type = parts[2].replaceAll("[*!~{}]", "");
            fields.put(
                    Integer.valueOf(parts[0]),
                    new Field(
                            parts[1],
                            type,
                            parts[2].contains("*"),
                            parts[2].contains("{}"),
                            parts[2].contains("!"),
                            parts[2].contains("~")));
        }
        return Map.copyOf(fields);
    }
}
