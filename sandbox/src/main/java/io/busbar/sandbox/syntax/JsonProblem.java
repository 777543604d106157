package io.busbar.sandbox.syntax;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Where a text stops being JSON, in the words of Go's decoder, which clients see.
 *
 * <p>One thread.
 */
public final class JsonProblem {

    private static final String END = "unexpected end of JSON input";

    private final String text;
    private int at;

    private JsonProblem(String text) {
        this.text = text;
    }

    /** Null for a text that is JSON. */
    public static @Nullable String of(String text) {
        return new JsonProblem(text).find();
    }

    /** Null for a text that is a JSON object, or null. */
    public static @Nullable String ofObject(String text) {
        String problem = of(text);
        char start = problem == null ? text.strip().charAt(0) : '{';
        String found = switch (start) {
            case '{', 'n' -> "";
            case '[' -> "array";
            case '"' -> "string";
            case 't', 'f' -> "bool";
            default -> "number";
        };
        return found.isEmpty()
                ? problem
                : "json: cannot unmarshal " + found + " into Go value of type map[string]interface {}";
    }

    /** Goes value by value; {@code open} has the closing brackets that are awaited. */
    private @Nullable String find() {
        Deque<Character> open = new ArrayDeque<>();
        boolean value = true;
        boolean first = false;
        while (true) {
            skipSpace();
            if (at == text.length()) {
                return value || !open.isEmpty() ? END : null;
            }
            char next = text.charAt(at);
            if (!value && open.isEmpty()) {
                return invalid("after top-level value");
            }
            if (first && next == open.peek()) {
                at++;
                open.pop();
                first = false;
                value = false;
                continue;
            }
            if (!value) {
                boolean inObject = open.peek() == '}';
                if (next == open.peek()) {
                    at++;
                    open.pop();
                    continue;
                }
                if (next != ',') {
                    return invalid(inObject ? "after object key:value pair" : "after array element");
                }
                at++;
                skipSpace();
            }
            if (!open.isEmpty() && open.peek() == '}') {
                String problem = key();
                if (problem != null) {
                    return problem;
                }
            }
            skipSpace();
            if (at == text.length()) {
                return END;
            }
            char start = text.charAt(at);
            first = start == '{' || start == '[';
            if (first) {
                open.push(start == '{' ? '}' : ']');
                at++;
                value = true;
                continue;
            }
            String problem = scalar(start);
            if (problem != null) {
                return problem;
            }
            value = false;
        }
    }

    private @Nullable String key() {
        if (at == text.length()) {
            return END;
        }
        if (text.charAt(at) != '"') {
            return invalid("looking for beginning of object key string");
        }
        String problem = string();
        if (problem != null) {
            return problem;
        }
        skipSpace();
        if (at == text.length()) {
            return END;
        }
        if (text.charAt(at) != ':') {
            return invalid("after object key");
        }
        at++;
        return null;
    }

    private @Nullable String scalar(char start) {
        return switch (start) {
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> start == '-' || isDigit(start) ? number() : invalid("looking for beginning of value");
        };
    }

    private @Nullable String literal(String word) {
        for (int i = 0; i < word.length(); i++, at++) {
            if (at == text.length()) {
                return END;
            }
            if (text.charAt(at) != word.charAt(i)) {
                return invalid("in literal " + word + " (expecting '" + word.charAt(i) + "')");
            }
        }
        return null;
    }

    private @Nullable String string() {
        for (at++; at < text.length(); at++) {
            char next = text.charAt(at);
            if (next == '"') {
                at++;
                return null;
            }
            if (next < 0x20) {
                return invalid("in string literal");
            }
            if (next == '\\') {
                at++;
                if (at == text.length()) {
                    return END;
                }
                char escaped = text.charAt(at);
                if ("\"\\/bfnrtu".indexOf(escaped) < 0) {
                    return invalid("in string escape code");
                }
                for (int i = 0; escaped == 'u' && i < 4; i++) {
                    at++;
                    if (at == text.length()) {
                        return END;
                    }
                    if (Character.digit(text.charAt(at), 16) < 0) {
                        return invalid("in \\u hexadecimal character escape");
                    }
                }
            }
        }
        return END;
    }

    private @Nullable String number() {
        if (text.charAt(at) == '-') {
            at++;
        }
        if (at < text.length() && text.charAt(at) == '0') {
            at++;
        } else {
            String problem = digits("in numeric literal");
            if (problem != null) {
                return problem;
            }
        }
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            String problem = digits("after decimal point in numeric literal");
            if (problem != null) {
                return problem;
            }
        }
        if (at < text.length() && "eE".indexOf(text.charAt(at)) >= 0) {
            at++;
            if (at < text.length() && "+-".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            return digits("in exponent of numeric literal");
        }
        return null;
    }

    private @Nullable String digits(String context) {
        int start = at;
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
        return at > start ? null : at == text.length() ? END : invalid(context);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private String invalid(String context) {
        char found = text.charAt(at);
        String quoted = switch (found) {
            case '\'' -> "'\\''";
            case '\\' -> "'\\\\'";
            case '\n' -> "'\\n'";
            case '\r' -> "'\\r'";
            case '\t' -> "'\\t'";
            default -> found < 0x20 ? String.format("'\\x%02x'", (int) found) : "'" + found + "'";
        };
        return "invalid character " + quoted + " " + context;
    }
}
