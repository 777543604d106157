package io.busbar.operator.documentation;

import java.util.ArrayList;
import java.util.List;

/**
 * A simple command of a shell block: its words, without the variables that are set before it and without where its
 * output goes. Immutable.
 */
record ShellLine(List<String> words) {

    private static final String OPERATORS = ";&|<>()";

    ShellLine {
        words = List.copyOf(words);
    }

    String program() {
        return words.get(0);
    }

    List<String> arguments() {
        return words.subList(1, words.size());
    }

    /**
     * Takes a text apart, as a shell does. Knows quotes, comments, lists and pipes; what stands in {@code $(…)} stays
     * one word.
     */
    static List<ShellLine> parse(String text) {
        List<ShellLine> lines = new ArrayList<>();
        List<String> words = new ArrayList<>();
        Cursor cursor = new Cursor(text.replace("\\\n", " "));
        boolean redirected = false;
        while (cursor.more()) {
            char next = cursor.peek();
            if (next == '#') {
                cursor.skipLine();
            } else if (next == '\n' || next == ';' || next == '&' || next == '|' || next == '(' || next == ')') {
                cursor.skip();
                add(lines, words);
            } else if (Character.isWhitespace(next)) {
                cursor.skip();
            } else if (next == '<' || next == '>') {
                cursor.skip();
                redirected = true;
            } else {
                String word = cursor.word();
                boolean descriptor = word.matches("\\d") && cursor.more() && OPERATORS.indexOf(cursor.peek()) >= 3;
                if (redirected) {
                    redirected = false;
                } else if (!descriptor && !(words.isEmpty() && word.matches("[A-Za-z_]\\w*=.*"))) {
                    words.add(word);
                }
            }
        }
        add(lines, words);
        return lines;
    }

    private static void add(List<ShellLine> lines, List<String> words) {
        if (!words.isEmpty()) {
            lines.add(new ShellLine(words));
            words.clear();
        }
    }

    /** Goes through a text once. */
    private static final class Cursor {

        private final String text;
        private int at;

        Cursor(String text) {
            this.text = text;
        }

        boolean more() {
            return at < text.length();
        }

        char peek() {
            return text.charAt(at);
        }

        void skip() {
            at++;
        }

        void skipLine() {
            while (more() && peek() != '\n') {
                at++;
            }
        }

        String word() {
            StringBuilder word = new StringBuilder();
            while (more() && !Character.isWhitespace(peek()) && OPERATORS.indexOf(peek()) < 0) {
                char next = text.charAt(at++);
                if (next == '\'' || next == '"') {
                    int end = text.indexOf(next, at);
                    word.append(text, at, end < 0 ? text.length() : end);
                    at = end < 0 ? text.length() : end + 1;
                } else if (next == '\\' && more()) {
                    word.append(text.charAt(at++));
                } else if (next == '$' && more() && peek() == '(') {
                    int end = text.indexOf(')', at);
                    word.append(text, at - 1, end < 0 ? text.length() : end + 1);
                    at = end < 0 ? text.length() : end + 1;
                } else {
                    word.append(next);
                }
            }
            return word.toString();
        }
    }
}
