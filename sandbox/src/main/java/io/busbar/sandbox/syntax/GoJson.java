package io.busbar.sandbox.syntax;

import java.nio.charset.StandardCharsets;

/**
 * What Go's decoder says of a text that is no JSON, since the API server passes that on.
 *
 * <p>One thread, once.
 */
public final class GoJson {

    /** Ends the reading: its message is what Go says. */
    private static final class Complaint extends RuntimeException {

        private static final long serialVersionUID = 1;

        Complaint(String words) {
            super(words, null, false, false);
        }
    }

    private final String text;
    private int at;

    private GoJson(String text) {
        this.text = text;
    }

    /** What is wrong with a text; empty when it is one JSON value. */
    public static String complaint(byte[] text) {
        GoJson json = new GoJson(new String(text, StandardCharsets.UTF_8));
        try {
            json.value("looking for beginning of value");
            json.blanks();
            if (json.at < json.text.length()) {
                throw json.unexpected("after top-level value");
            }
            return "";
        } catch (Complaint complaint) {
            return String.valueOf(complaint.getMessage());
        }
    }

    private void value(String place) {
        blanks();
        switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> throw unexpected(place);
        }
    }

    private void object() {
        at++;
        blanks();
        if (peek() == '}') {
            at++;
            return;
        }
        while (true) {
            blanks();
            if (peek() != '"') {
                throw unexpected("looking for beginning of object key string");
            }
            string();
            expect(':', "after object key");
            value("looking for beginning of value");
            if (ends('}', "after object key:value pair")) {
                return;
            }
        }
    }

    private void array() {
        at++;
        blanks();
        if (peek() == ']') {
            at++;
            return;
        }
        while (true) {
            value("looking for beginning of value");
            if (ends(']', "after array element")) {
                return;
            }
        }
    }

    private void string() {
        for (at++; peek() != '"'; at++) {
            if (peek() < ' ') {
                throw unexpected("in string literal");
            }
            if (peek() == '\\') {
                at++;
                if ("\"\\/bfnrtu".indexOf(peek()) < 0) {
                    throw unexpected("in string escape code");
                }
            }
        }
        at++;
    }

    private void literal(String word) {
        for (int i = 0; i < word.length(); i++, at++) {
            if (peek() != word.charAt(i)) {
                throw unexpected("in literal " + word + " (expecting " + quoted(word.charAt(i)) + ")");
            }
        }
    }

    private void number() {
        if (peek() == '-') {
            at++;
        }
        if (at < text.length() && text.charAt(at) == '0') {
            at++;
        } else {
            digits("in numeric literal");
        }
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            digits("after decimal point in numeric literal");
        }
        if (at < text.length() && "eE".indexOf(text.charAt(at)) >= 0) {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits("in exponent of numeric literal");
        }
    }

    private void digits(String place) {
        if (!Character.isDigit(peek())) {
            throw unexpected(place);
        }
        while (at < text.length() && Character.isDigit(text.charAt(at))) {
            at++;
        }
    }

    private void expect(char wanted, String place) {
        blanks();
        if (peek() != wanted) {
            throw unexpected(place);
        }
        at++;
    }

    private boolean ends(char last, String place) {
        blanks();
        char found = peek();
        if (found != last && found != ',') {
            throw unexpected(place);
        }
        at++;
        return found == last;
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw new Complaint("unexpected end of JSON input");
        }
        return text.charAt(at);
    }

    private Complaint unexpected(String place) {
        return new Complaint("invalid character " + quoted(peek()) + " " + place);
    }

    private static String quoted(char character) {
        return switch (character) {
            case '\'' -> "'\\''";
            case '"' -> "'\"'";
            default -> "'" + GoText.quote(String.valueOf(character)).replaceAll("^\"|\"$", "") + "'";
        };
    }
}
