package io.busbar.admission.review;

import java.nio.charset.StandardCharsets;

/**
 * Walks over JSON (RFC 8259) in UTF-8 and checks it, building nothing: most of a review is an object that no rule will look at.
 *
 * <p>One thread. The position is always at the beginning or behind the end of a value; methods that consume one expect the former.
 * All throw {@link MalformedReviewException} where the text is not JSON.
 */
final class JsonScanner {

    /** Half of what Jackson decodes, and far more than objects have. */
    private static final int MAX_DEPTH = 500;

    private final byte[] text;
    private int at;
    private int depth;
    private int nameBegin;
    private int nameEnd;

    JsonScanner(byte[] text) {
        this.text = text;
        space();
    }

    /** Where the value begins, or where the one before it ended. */
    int position() {
        return at;
    }

    /** The first byte of the value; 0 at the end of the text. */
    int peek() {
        return at < text.length ? text[at] : 0;
    }

    /** Whether nothing but space is left. */
    boolean atEnd() {
        space();
        return at == text.length;
    }

    /** Enters an object, up to the value of its first member: false if it has none, and was left again. */
    boolean firstMember() {
        enter('{');
        if (leaves('}')) {
            return false;
        }
        member();
        return true;
    }

    /** Goes on to the value of the next member: false if there is none, and the object was left. */
    boolean nextMember() {
        if (leaves('}')) {
            return false;
        }
        expect(',');
        space();
        member();
        return true;
    }

    /** Enters a list, up to its first element: false if it has none, and was left again. */
    boolean firstElement() {
        enter('[');
        return !leaves(']');
    }

    /** Goes on to the next element: false if there is none, and the list was left. */
    boolean nextElement() {
        if (leaves(']')) {
            return false;
        }
        expect(',');
        space();
        return true;
    }

    private void enter(char bracket) {
        expect(bracket);
        if (++depth > MAX_DEPTH) {
            throw malformed("more than " + MAX_DEPTH + " levels");
        }
    }

    private boolean leaves(char bracket) {
        space();
        if (peek() != bracket) {
            return false;
        }
        at++;
        depth--;
        return true;
    }

    private void member() {
        nameBegin = at;
        skipString();
        nameEnd = at;
        space();
        expect(':');
        space();
    }

    /** Where the name of the member begins whose value is next. */
    int nameBegin() {
        return nameBegin;
    }

    /** Whether this is that name, in plain ASCII. */
    boolean nameIs(String name) {
        if (nameEnd - nameBegin != name.length() + 2) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (text[nameBegin + 1 + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The name of the member whose value is next. */
    String name() {
        return string(nameBegin, nameEnd);
    }

    /** Consumes a string. */
    String string() {
        int begin = at;
        skipString();
        return string(begin, at);
    }

    private String string(int begin, int end) {
        for (int i = begin + 1; i < end - 1; i++) {
            if (text[i] == '\\') {
                return Json.string(text, begin, end);
            }
        }
        return new String(text, begin + 1, end - begin - 2, StandardCharsets.UTF_8);
    }

    /** Consumes any value. */
    void skip() {
        switch (peek()) {
            case '{' -> {
                for (boolean more = firstMember(); more; more = nextMember()) {
                    skip();
                }
            }
            case '[' -> {
                for (boolean more = firstElement(); more; more = nextElement()) {
                    skip();
                }
            }
            case '"' -> skipString();
            case 't' -> skipWord("true");
            case 'f' -> skipWord("false");
            case 'n' -> skipWord("null");
            default -> skipNumber();
        }
    }

    private void skipWord(String word) {
        for (int i = 0; i < word.length(); i++) {
            expect(word.charAt(i));
        }
    }

    private void skipNumber() {
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            skipDigits();
        }
        if (peek() == '.') {
            at++;
            skipDigits();
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            skipDigits();
        }
    }

    private void skipDigits() {
        int begin = at;
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
        if (at == begin) {
            throw malformed("unexpected");
        }
    }

    private void skipString() {
        expect('"');
        int i = at;
        while (i < text.length) {
            int c = text[i++];
            if (c == '"') {
                at = i;
                return;
            }
            if (c == '\\') {
                i = escape(i);
            } else if (c < 0) {
                i = rest(c, i);
            } else if (c < ' ') {
                at = i - 1;
                throw malformed("a control character in a string");
            }
        }
        at = i;
        throw malformed("unexpected");
    }

    /** Behind an escape whose backslash was read. Surrogates must come in pairs: no UTF-8 could carry one alone. */
    private int escape(int i) {
        int c = i < text.length ? text[i] : 0;
        if (c == 'u') {
            int unit = unit(i + 1);
            if (unit >= 0 && !Character.isSurrogate((char) unit)) {
                return i + 5;
            }
            boolean paired = unit >= 0
                    && Character.isHighSurrogate((char) unit)
                    && i + 6 < text.length
                    && text[i + 5] == '\\'
                    && text[i + 6] == 'u'
                    && unit(i + 7) >= 0
                    && Character.isLowSurrogate((char) unit(i + 7));
            if (paired) {
                return i + 11;
            }
        } else if ("\"\\/bfnrt".indexOf(c) >= 0) {
            return i + 1;
        }
        at = i;
        throw malformed("an unknown escape");
    }

    /** Four hexadecimal digits; negative where there are none. */
    private int unit(int i) {
        if (i + 4 > text.length) {
            return -1;
        }
        int result = 0;
        for (int k = i; k < i + 4; k++) {
            int digit = Character.digit(text[k], 16);
            if (digit < 0) {
                return -1;
            }
            result = result << 4 | digit;
        }
        return result;
    }

    /** Behind a character of several bytes, the first of which was read (RFC 3629, section 4). */
    private int rest(int first, int i) {
        int more = first >= (byte) 0xf0 ? 3 : first >= (byte) 0xe0 ? 2 : 1;
        boolean whole = first >= (byte) 0xc2 && first <= (byte) 0xf4 && i + more <= text.length;
        for (int k = 0; whole && k < more; k++) {
            whole = (text[i + k] & 0xc0) == 0x80;
        }
        if (!whole || !inRange(first & 0xff, text[i] & 0xff)) {
            at = i;
            throw malformed("not UTF-8");
        }
        return i + more;
    }

    /** Neither longer than need be, nor a surrogate, nor beyond Unicode. */
    private static boolean inRange(int first, int second) {
        return switch (first) {
            case 0xe0 -> second >= 0xa0;
            case 0xed -> second < 0xa0;
            case 0xf0 -> second >= 0x90;
            case 0xf4 -> second < 0x90;
            default -> true;
        };
    }

    private void space() {
        while (at < text.length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
    }

    private void expect(char c) {
        if (peek() != c || at == text.length) {
            throw malformed("unexpected");
        }
        at++;
    }

    private MalformedReviewException malformed(String why) {
        String what = at >= text.length ? "it ends too early" : why + " at byte " + at;
        return new MalformedReviewException("the body is not valid JSON: " + what);
    }
}
