package io.busbar.blueprint.schema;

import java.util.ArrayList;
import java.util.List;

/**
 * A field as SimpleSchema writes it: {@code integer | default=3 minimum=1 description="how many"}.
 *
 * <p>Immutable.
 *
 * @param type as it is written
 */
record FieldSyntax(String type, List<Marker> markers) {

    /**
     * A marker.
     *
     * @param value without its quotes
     * @param offset of it in the text
     */
    record Marker(String name, String value, int offset) {}

    /** A text that is none. */
    static final class SyntaxException extends Exception {

        private static final long serialVersionUID = 1;

        SyntaxException(String message) {
            super(message, null, false, false);
        }
    }

    static FieldSyntax parse(String text) throws SyntaxException {
        int bar = text.indexOf('|');
        String type = (bar < 0 ? text : text.substring(0, bar)).strip();
        if (type.isEmpty()) {
            throw new SyntaxException("the type is missing; allowed: TYPE, or TYPE | MARKER=VALUE …");
        }
        return new FieldSyntax(type, bar < 0 ? List.of() : new Scan(text, bar + 1).markers());
    }

    /** Reads the markers of one text. One thread. */
    private static final class Scan {

        private final String text;
        private int at;

        Scan(String text, int from) {
            this.text = text;
            this.at = from;
        }

        List<Marker> markers() throws SyntaxException {
            List<Marker> markers = new ArrayList<>();
            while (skipsToNext()) {
                int start = at;
                int equals = text.indexOf('=', at);
                String name = equals < 0 ? text.substring(at).strip() : text.substring(at, equals);
                if (equals < 0 || !name.matches("[A-Za-z]+")) {
                    throw new SyntaxException(
                            "'" + name.strip() + "' is no marker; allowed: MARKER=VALUE, with spaces between markers");
                }
                at = equals + 1;
                markers.add(new Marker(name, value(name), start));
            }
            return markers;
        }

        private boolean skipsToNext() {
            while (at < text.length() && (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == '|')) {
                at++;
            }
            return at < text.length();
        }

        private String value(String name) throws SyntaxException {
            char first = at < text.length() ? text.charAt(at) : ' ';
            if (first == '"' || first == '\'') {
                return quoted(name, first);
            }
            if (first == '[' || first == '{') {
                return nested(name);
            }
            int start = at;
            while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            if (start == at) {
                throw new SyntaxException("the value of '" + name + "' is missing");
            }
            return text.substring(start, at);
        }

        /** A backslash before a quote or a backslash goes; before anything else, as in patterns, it stays. */
        private String quoted(String name, char quote) throws SyntaxException {
            StringBuilder value = new StringBuilder();
            for (at++; at < text.length(); at++) {
                char c = text.charAt(at);
                if (c == quote) {
                    at++;
                    return value.toString();
                }
                boolean escape = c == '\\' && at + 1 < text.length();
                if (escape && (text.charAt(at + 1) == quote || text.charAt(at + 1) == '\\')) {
                    at++;
                }
                value.append(text.charAt(at));
            }
            throw new SyntaxException("the value of '" + name + "' has no closing quote");
        }

        private String nested(String name) throws SyntaxException {
            int start = at;
            int depth = 0;
            boolean quoted = false;
            for (; at < text.length(); at++) {
                char c = text.charAt(at);
                if (c == '\\' && quoted) {
                    at++;
                } else if (c == '"') {
                    quoted = !quoted;
                } else if (!quoted && (c == '[' || c == '{')) {
                    depth++;
                } else if (!quoted && (c == ']' || c == '}')) {
                    depth--;
                }
                if (depth == 0) {
                    at++;
                    return text.substring(start, at);
                }
            }
            throw new SyntaxException("the value of '" + name + "' has no closing bracket");
        }
    }
}
