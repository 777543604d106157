package io.busbar.sandbox.select;

import java.util.ArrayList;
import java.util.List;

/** Cuts a label selector into words and symbols. One thread. */
final class LabelLexer {

    enum Kind {
        WORD,
        SYMBOL,
        END
    }

    record Token(Kind kind, String text) {

        boolean is(String symbol) {
            return kind == Kind.SYMBOL && text.equals(symbol);
        }

        boolean isWord() {
            return kind == Kind.WORD;
        }

        boolean isEnd() {
            return kind == Kind.END;
        }
    }

    private static final String SPECIAL = "=!(),><";

    private LabelLexer() {}

    static List<Token> tokens(String text) {
        List<Token> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (isBlank(c)) {
                at++;
            } else {
                int end = SPECIAL.indexOf(c) >= 0 ? endOfSymbol(text, at) : endOfWord(text, at);
                Kind kind = SPECIAL.indexOf(c) >= 0 ? Kind.SYMBOL : Kind.WORD;
                tokens.add(new Token(kind, text.substring(at, end)));
                at = end;
            }
        }
        tokens.add(new Token(Kind.END, ""));
        return tokens;
    }

    /** Only {@code ==} and {@code !=} are longer than a character. */
    private static int endOfSymbol(String text, int at) {
        boolean two = (text.charAt(at) == '=' || text.charAt(at) == '!') && text.startsWith("=", at + 1);
        return at + (two ? 2 : 1);
    }

    private static int endOfWord(String text, int at) {
        int end = at;
        while (end < text.length() && !isBlank(text.charAt(end)) && SPECIAL.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }
}
