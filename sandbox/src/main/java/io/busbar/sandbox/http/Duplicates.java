package io.busbar.sandbox.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the fields of a document that stand more than once in their object. Only asked when there are some.
 *
 * <p>One thread.
 */
final class Duplicates {

    /** An object or a list that is open. */
    private static final class Level {

        private final boolean list;
        private final String path;
        private final Set<String> names = new HashSet<>();
        private String name = "";
        private int index = -1;

        Level(boolean list, String path) {
            this.list = list;
            this.path = path;
        }

        String below() {
            return list ? path + "[" + index + "]" : path.isEmpty() ? name : path + "." + name;
        }
    }

    private Duplicates() {}

    /** As JSON's decoder tells of them: {@code duplicate field "spec.a"}. */
    static List<String> inJson(JsonParser parser) throws IOException {
        Set<String> found = new LinkedHashSet<>();
        walk(parser, (path, name, line, twice) -> {
            if (twice) {
                found.add(duplicate(path));
            }
        });
        return List.copyOf(found);
    }

    /**
     * As a decoder tells of them that knows the type: with what is unknown, as they come; into that it does not look.
     */
    static List<String> amongUnknown(JsonParser parser, Set<String> unknown) throws IOException {
        Set<String> found = new LinkedHashSet<>();
        walk(parser, (path, name, line, twice) -> {
            if (unknown.contains(path)) {
                found.add(Strictness.unknown(path));
            } else if (twice
                    && unknown.stream()
                            .noneMatch(other -> path.startsWith(other + ".") || path.startsWith(other + "["))) {
                found.add(duplicate(path));
            }
        });
        return List.copyOf(found);
    }

    private static String duplicate(String path) {
        return "duplicate field \"" + path + "\"";
    }

    /** As YAML's decoder tells of them, all in one. */
    static List<String> inYaml(JsonParser parser) throws IOException {
        Set<String> found = new LinkedHashSet<>();
        walk(parser, (path, name, line, twice) -> {
            if (twice) {
                found.add("line " + line + ": key \"" + name + "\" already set in map");
            }
        });
        return found.isEmpty() ? List.of() : List.of("yaml: unmarshal errors:\n  " + String.join("\n  ", found));
    }

    /** Told of each value, with its line, and whether its name was there before. */
    private interface Finding {

        void found(String path, String name, int line, boolean twice);
    }

    private static void walk(JsonParser parser, Finding finding) throws IOException {
        Deque<Level> open = new ArrayDeque<>();
        boolean twice = false;
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            Level level = open.peek();
            if (token.isStructEnd()) {
                open.pop();
                continue;
            }
            if (token == JsonToken.FIELD_NAME && level != null) {
                level.name = parser.currentName();
                twice = !level.names.add(level.name);
                continue;
            }
            if (level != null && level.list) {
                level.index++;
            }
            String path = level == null ? "" : level.below();
            if (level != null) {
                finding.found(path, level.name, parser.currentTokenLocation().getLineNr(), twice);
                twice = false;
            }
            if (token.isStructStart()) {
                open.push(new Level(token == JsonToken.START_ARRAY, path));
            }
        }
    }
}
