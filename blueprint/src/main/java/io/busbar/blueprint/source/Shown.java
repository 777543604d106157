package io.busbar.blueprint.source;

import com.fasterxml.jackson.databind.JsonNode;

/** Values and expressions as messages show them: in one line, and not too long. Any thread. */
public final class Shown {

    private static final int LONGEST = 80;

    private Shown() {}

    public static String of(JsonNode value) {
        return value.isTextual() ? quoted(value.textValue()) : shortened(value.toString());
    }

    /** In single quotes. */
    public static String quoted(String text) {
        return "'" + shortened(text) + "'";
    }

    private static String shortened(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.codePointCount(0, line.length()) <= LONGEST
                ? line
                : line.substring(0, line.offsetByCodePoints(0, LONGEST - 1)) + "…";
    }
}
