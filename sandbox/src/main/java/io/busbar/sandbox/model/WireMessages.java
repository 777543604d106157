package io.busbar.sandbox.model;

import io.busbar.sandbox.syntax.TextFile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages that are understood, by name, such as {@code core.v1.Pod}: what built-in kinds are made of.
 *
 * <p>Any thread. {@code messages.txt} is read when first asked, and each of its lines when its message is.
 */
public final class WireMessages {

    private static final Map<String, String> LINES = TextFile.entries(WireMessages.class, "messages.txt");
    private static final Map<String, Map<Integer, Field>> BY_NUMBER = new ConcurrentHashMap<>();
    private static final Map<String, Map<String, Field>> BY_NAME = new ConcurrentHashMap<>();

    /**
     * One field of a message.
     *
     * @param type a letter for a scalar, else the name of a message or of a form
     * @param kept whether a zero is told apart from nothing
     * @param inlined whether the fields of the message are those of the message around it
     */
    public record Field(String name, String type, boolean repeated, boolean map, boolean kept, boolean inlined) {}

    private WireMessages() {}

    /** The names of all messages. */
    public static Set<String> names() {
        return LINES.keySet();
    }

    public static boolean isKnown(String message) {
        return LINES.containsKey(message);
    }

    /** The fields of a message as JSON has them, in order; empty for one that is not known. */
    public static Map<String, Field> named(String message) {
        Map<String, Field> known = BY_NAME.get(message);
        if (known != null) {
            return known;
        }
        Map<String, Field> fields = new LinkedHashMap<>();
        Map<Integer, Field> numbered = fields(message);
        for (Field field : numbered == null ? List.<Field>of() : numbered.values()) {
            if (field.inlined()) {
                fields.putAll(named(field.type()));
            } else {
                fields.put(field.name(), field);
            }
        }
        Map<String, Field> result = Collections.unmodifiableMap(fields);
        BY_NAME.put(message, result);
        return result;
    }

    /** The fields of a message by number; null for one that is not known. */
    public static @Nullable Map<Integer, Field> fields(String message) {
        Map<Integer, Field> known = BY_NUMBER.get(message);
        String line = LINES.get(message);
        if (known != null || line == null) {
            return known;
        }
        Map<Integer, Field> fields = parse(line);
        BY_NUMBER.put(message, fields);
        return fields;
    }

    private static Map<Integer, Field> parse(String text) {
        Map<Integer, Field> fields = new LinkedHashMap<>();
        for (String field : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            String[] parts = field.split(" ", -1);
            int end = parts[2].length();
            while ("*!~{}".indexOf(parts[2].charAt(end - 1)) >= 0) {
                end--;
            }
            String flags = parts[2].substring(end);
            fields.put(
                    Integer.valueOf(parts[0]),
                    new Field(
                            parts[1],
                            parts[2].substring(0, end),
                            flags.contains("*"),
                            flags.contains("{}"),
                            flags.contains("!"),
                            flags.contains("~")));
        }
        return Collections.unmodifiableMap(fields);
    }
}
