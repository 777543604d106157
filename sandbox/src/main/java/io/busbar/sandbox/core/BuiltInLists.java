package io.busbar.sandbox.core;

import io.busbar.sandbox.patch.MergeKeys;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the lists of built-in kinds merge.
 *
 * <p>Immutable.
 */
public final class BuiltInLists {

    private static final Pattern FIELD = Pattern.compile("(\\w+)=(?:\\[([\\w,]+)\\]|(\\(\\))|(!))?(\\w*)(-?)");
    private static final Map<String, Map<String, ListShape.Field>> TYPES = read();

    private BuiltInLists() {}

    /** For strategic merge patch. A kind that is not known merges its metadata only. */
    public static MergeKeys mergeKeys(String group, String kind) {
        return shape(group, kind);
    }

    static Map<String, ListShape.Field> fields(String type) {
        return TYPES.getOrDefault(type, Map.of());
    }

    private static ListShape shape(String group, String kind) {
        Map<String, ListShape.Field> fields = new HashMap<>(fields(group.isEmpty() ? kind : kind + "." + group));
        fields.put("metadata", new ListShape.Field(ListShape.Form.GRANULAR, List.of(), "ObjectMeta", false));
        return new ListShape(fields);
    }

    private static Map<String, Map<String, ListShape.Field>> read() {
        Map<String, Map<String, ListShape.Field>> types = new HashMap<>();
        InputStream resource = Objects.requireNonNull(BuiltInLists.class.getResourceAsStream("lists.txt"));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
            lines.lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .forEach(line -> {
                        int colon = line.indexOf(':');
                        Map<String, ListShape.Field> fields = new HashMap<>();
                        for (String text : line.substring(colon + 2).split(" ", -1)) {
                            Matcher field = FIELD.matcher(text);
                            if (!field.matches()) {
                                throw new IllegalStateException("not a field: '" + text + "' in " + line);
                            }
                            fields.put(field.group(1), field(field));
                        }
                        types.put(line.substring(0, colon), Map.copyOf(fields));
                    });
            return Map.copyOf(types);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ListShape.Field field(Matcher field) {
        List<String> keys =
                field.group(2) == null ? List.of() : List.of(field.group(2).split(",", -1));
        ListShape.Form form = !keys.isEmpty()
                ? ListShape.Form.MAP
                : field.group(3) != null
                        ? ListShape.Form.SET
                        : field.group(4) != null ? ListShape.Form.ATOMIC : ListShape.Form.GRANULAR;
        return new ListShape.Field(form, keys, field.group(5), field.group(6).isEmpty());
    }
}
