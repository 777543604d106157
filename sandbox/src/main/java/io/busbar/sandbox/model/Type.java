package io.busbar.sandbox.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.busbar.sandbox.model.Field.Merging;
import io.busbar.sandbox.model.Field.Shape;
import io.busbar.sandbox.syntax.TextFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A struct that built-in kinds are made of, as Kubernetes 1.36 publishes it.
 *
 * <p>Immutable. {@code types.txt} is read when first asked, and each of its lines when its type is.
 *
 * @param name such as {@code core.v1.Pod}: the first label of the group, {@code core} for the core group, {@code meta}
 *     for what all
 *     share
 * @param atomic whether server-side apply treats it as one value
 * @param fields by name, in the order of names
 */
public record Type(String name, boolean atomic, Map<String, Field> fields) {

    public static final String OBJECT_META = "meta.v1.ObjectMeta";

    private static final Map<String, String> LINES = TextFile.entries(Type.class, "types.txt");
    private static final Map<String, Type> READ = new ConcurrentHashMap<>();
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Null for what has no fields to tell: a scalar, a form, and a name that is not known. */
    public static @Nullable Type find(String name) {
        Type known = READ.get(name);
        String line = known == null ? LINES.get(name) : null;
        if (line == null) {
            return known;
        }
        Type read = parse(name, line);
        READ.put(name, read);
        return read;
    }

    /** The type of a kind; null for one that is not known. */
    public static @Nullable Type find(String group, String version, String kind) {
        return find(nameOf(group, version, kind));
    }

    /** What the type of a kind is called. */
    public static String nameOf(String group, String version, String kind) {
        int dot = group.indexOf('.');
        return (group.isEmpty() ? "core" : dot < 0 ? group : group.substring(0, dot)) + "." + version + "." + kind;
    }

    /** The names of all types. */
    public static Collection<String> names() {
        return Collections.unmodifiableCollection(LINES.keySet());
    }

    /** Null when there is no such field, also for another case. */
    public @Nullable Field field(String field) {
        return fields.get(field);
    }

    private static Type parse(String name, String line) {
        boolean atomic = line.startsWith("!");
        Map<String, Field> fields = new LinkedHashMap<>();
        String text = line.substring(atomic ? 1 : 0).trim();
        for (String each : text.isEmpty() ? new String[0] : text.split("; ", -1)) {
            Field field = field(List.of(each.split(" ", -1)));
            fields.put(field.name(), field);
        }
        return new Type(name, atomic, Collections.unmodifiableMap(fields));
    }

    private static Field field(List<String> words) {
        String type = words.get(1);
        Shape shape = type.endsWith("*") ? Shape.LIST : type.endsWith("{}") ? Shape.MAP : Shape.ONE;
        int mark = shape == Shape.LIST ? 1 : shape == Shape.MAP ? 2 : 0;
        boolean required = false;
        JsonNode standard = null;
        List<String> allowed = List.of();
        String form = "";
        List<String> keys = List.of();
        String patchKey = null;
        boolean merges = false;
        boolean retains = false;
        boolean replaces = false;
        for (String word : words.subList(2, words.size())) {
            int open = word.indexOf('(');
            List<String> list = open < 0
                    ? List.of()
                    : List.of(word.substring(open + 1, word.length() - 1)
                            .replace('~', ' ')
                            .split(",", -1));
            switch (open < 0 ? word : word.substring(0, open)) {
                case "+" -> required = true;
                case "enum" -> allowed = list;
                case "atomic", "granular", "set" -> form = word;
                case "map" -> {
                    form = "map";
                    keys = list;
                }
                case "merge" -> {
                    merges = true;
                    patchKey = list.isEmpty() ? null : list.get(0);
                }
                case "retainKeys" -> retains = true;
                case "replace" -> replaces = true;
                default -> standard = json(word.substring(1));
            }
        }
        Merging merging = form.isEmpty() && !merges && !retains && !replaces
                ? Merging.NONE
                : new Merging(form, keys, patchKey, merges, retains, replaces);
        return new Field(
                words.get(0), type.substring(0, type.length() - mark), shape, required, standard, allowed, merging);
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
