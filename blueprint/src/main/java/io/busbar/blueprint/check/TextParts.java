package io.busbar.blueprint.check;

import java.util.ArrayList;
import java.util.List;

/**
 * A text with expressions in {@code ${…}}, taken apart.
 *
 * <p>Immutable. Braces and quotes within an expression are understood: a map in it, or a text with a brace, does not
 * end it.
 *
 * @param flaw what is wrong with it; empty for nothing
 * @param flawAt where in the text
 */
record TextParts(List<Part> parts, String flaw, int flawAt) {

    /**
     * What is copied, or what is evaluated.
     *
     * @param text without the {@code ${}} of an expression
     * @param offset of it in the whole text
     */
    record Part(boolean expression, String text, int offset) {}

    static boolean hasExpressions(String text) {
        return text.contains("${");
    }

    /** Whether it is one expression and nothing else, which keeps its type. */
    boolean isStandalone() {
        return parts.size() == 1 && parts.get(0).expression();
    }

    static TextParts of(String text) {
        List<Part> parts = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf("${", at);
            if (open < 0) {
                parts.add(new Part(false, text.substring(at), at));
                break;
            }
            if (open > at) {
                parts.add(new Part(false, text.substring(at, open), at));
            }
            Scan scan = new Scan(text, open + 2);
            if (!scan.flaw.isEmpty()) {
                return new TextParts(List.of(), scan.flaw, scan.at);
            }
            String code = text.substring(open + 2, scan.at);
            if (code.isBlank()) {
                return new TextParts(List.of(), "the expression is empty", open);
            }
            parts.add(new Part(true, code, open + 2));
            at = scan.at + 1;
        }
        return new TextParts(List.copyOf(parts), "", 0);
    }

    /** Looks for the brace that closes an expression. One thread. */
    private static final class Scan {

        private final String text;
        private String flaw = "";
        private int at;

        Scan(String text, int from) {
            this.text = text;
            this.at = from;
            int depth = 0;
            while (at < text.length() && flaw.isEmpty()) {
                char c = text.charAt(at);
                if (c == '}' && depth == 0) {
                    return;
                }
                if (c == '"' || c == '\'') {
                    skipQuoted(c);
                    continue;
                }
                if (text.startsWith("//", at)) {
                    skipComment();
                    continue;
                }
                if (text.startsWith("${", at)) {
                    flaw = "an expression stands within an expression; only texts within it can have ${";
                    return;
                }
                depth += c == '{' ? 1 : c == '}' ? -1 : 0;
                at++;
            }
            if (flaw.isEmpty()) {
                flaw = "the expression has no closing brace";
                at = from - 2;
            }
        }

        private void skipComment() {
            int end = text.indexOf('\n', at);
            at = end < 0 ? text.length() : end;
        }

        private void skipQuoted(char quote) {
            int start = at;
            boolean raw = at > 0
                    && "rR".indexOf(text.charAt(at - 1)) >= 0
                    && (at < 2 || !Character.isLetterOrDigit(text.charAt(at - 2)));
            String end = String.valueOf(quote);
            if (text.startsWith(end.repeat(3), at)) {
                end = end.repeat(3);
            }
            for (at += end.length(); at < text.length(); at++) {
                if (text.startsWith(end, at)) {
                    at += end.length();
                    return;
                }
                if (text.charAt(at) == '\\' && !raw) {
                    at++;
                }
            }
            flaw = "a text within the expression has no closing quote";
            at = start;
        }
    }
}
