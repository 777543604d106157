package io.busbar.common.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Walks over JSON (RFC 8259) in UTF-8 and checks it, building nothing: most of a review, or of what a watch is sent,
 * nobody will look at.
 *
 * <p>One thread. The position is always at the beginning or behind the end of a value; methods that consume one expect
 * the former. All throw {@link MalformedJsonException} where the text is not JSON.
 */
public final class JsonScanner {

    /** Half of what Jackson decodes, and far more than objects have. */
    public static final int MAX_DEPTH = 500;

    private static final JsonFactory JACKSON = new JsonFactory();

    private final byte[] text;
    private final int end;
    private int at;
    private int depth;

    /** What is open at each depth: a list or an object. */
    private boolean[] list = new boolean[16];

    private int nameBegin;
    private int nameEnd;

    public JsonScanner(byte[] text) {
        this(text, 0, text.length);
    }

    /**
     * Positions are those in the whole text.
     *
     * @param end exclusive
     */
    public JsonScanner(byte[] text, int begin, int end) {
        this.text = text;
        this.at = begin;
        this.end = end;
        space();
    }

    /** Where the value begins, or where the one before it ended. */
    public int position() {
        return at;
    }

    /** The first byte of the value; 0 at the end of the text. */
    public int peek() {
        return at < end ? text[at] : 0;
    }

    /** Whether nothing but space is left. */
    public boolean atEnd() {
        space();
        return at == end;
    }

    /** Enters an object, up to the value of its first member: false if it has none, and was left again. */
    public boolean firstMember() {
        enter('{');
        if (leaves('}')) {
            return false;
        }
        member();
        return true;
    }

    /** Goes on to the value of the next member: false if there is none, and the object was left. */
    public boolean nextMember() {
        if (leaves('}')) {
            return false;
        }
        expect(',');
        space();
        member();
        return true;
    }

    /** Enters a list, up to its first element: false if it has none, and was left again. */
    public boolean firstElement() {
        enter('[');
        return !leaves(']');
    }

    /** Goes on to the next element: false if there is none, and the list was left. */
    public boolean nextElement() {
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
        if (depth == list.length) {
            list = Arrays.copyOf(list, 2 * depth);
        }
        list[depth] = bracket == '[';
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
    public int nameBegin() {
        return nameBegin;
    }

    /** Whether this is that name, in plain ASCII. */
    public boolean nameIs(String name) {
        return nameEnd - nameBegin == name.length() + 2 && nameBeginsWith(name);
    }

    /** Whether that name begins so, in plain ASCII. */
    public boolean nameBeginsWith(String prefix) {
        if (nameEnd - nameBegin < prefix.length() + 2) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (text[nameBegin + 1 + i] != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The name of the member whose value is next. */
    public String name() {
        return string(nameBegin, nameEnd);
    }

    /** Consumes a string. */
    public String string() {
        int begin = at;
        skipString();
        return string(begin, at);
    }

    /** Consumes a number, true, false or null, which is returned as it is written; any other value too. */
    public String literal() {
        int begin = at;
        skip();
        return new String(text, begin, at - begin, StandardCharsets.UTF_8);
    }

    private String string(int from, int to) {
        for (int i = from + 1; i < to - 1; i++) {
            if (text[i] == '\\') {
                return unescaped(from, to);
            }
        }
        return new String(text, from + 1, to - from - 2, StandardCharsets.UTF_8);
    }

    private String unescaped(int from, int to) {
        try (JsonParser parser = JACKSON.createParser(text, from, to - from)) {
            parser.nextToken();
            return parser.getText();
        } catch (IOException e) {
            // It is well-formed, so what remains are limits of the decoder.
            throw new MalformedJsonException("a string cannot be decoded: " + e.getMessage());
        }
    }

    /** Consumes any value. */
    public void skip() {
        int outside = depth;
        boolean more = enter();
        while (depth > outside) {
            more = more ? enter() : next();
        }
    }

    /**
     * Enters an object or a list, or consumes a value that is neither: whether there is a value in it, which is next
     * then.
     */
    public boolean enter() {
        switch (peek()) {
            case '{' -> {
                return firstMember();
            }
            case '[' -> {
                return firstElement();
            }
            case '"' -> skipString();
            case 't' -> skipWord("true");
            case 'f' -> skipWord("false");
            case 'n' -> skipWord("null");
            default -> skipNumber();
        }
        return false;
    }

    /** Goes on to the next value of the object or list that is open: false if there is none, and it was left. */
    public boolean next() {
        return inList() ? nextElement() : nextMember();
    }

    /** Whether a list was entered last of what is open. */
    public boolean inList() {
        return list[depth];
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
        while (i < end) {
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
        int c = i < end ? text[i] : 0;
        if (c == 'u') {
            int unit = unit(i + 1);
            if (unit >= 0 && !Character.isSurrogate((char) unit)) {
                return i + 5;
            }
            boolean paired = unit >= 0
                    && Character.isHighSurrogate((char) unit)
                    && i + 6 < end
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
        if (i + 4 > end) {
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
        boolean whole = first >= (byte) 0xc2 && first <= (byte) 0xf4 && i + more <= end;
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
        while (at < end && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
    }

    private void expect(char c) {
        if (peek() != c || at == end) {
            throw malformed("unexpected");
        }
        at++;
    }

    private MalformedJsonException malformed(String why) {
        return new MalformedJsonException(at >= end ? "it ends too early" : why + " at byte " + at);
    }
}
