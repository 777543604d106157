package io.busbar.watcher.wire;

import io.busbar.common.internal.json.JsonScanner;

/**
 * Follows where strings, lists and objects of JSON begin and end, in any pieces. What stands between them is not looked
 * at.
 *
 * <p>For one thread at a time.
 */
final class Nesting {

    /** The bracket that ends what is open, at each depth. */
    private final byte[] ends = new byte[JsonScanner.MAX_DEPTH];

    private int depth;
    private boolean string;
    private boolean escape;

    /** How many lists and objects are open. */
    int depth() {
        return depth;
    }

    boolean inString() {
        return string;
    }

    /**
     * Follows a text to where no more than so many lists and objects are open.
     *
     * @return where that is, or the end of the text if more are open there
     */
    int leave(int level, byte[] text, int begin) throws UnreadableResponseException {
        for (int i = begin; i < text.length; i++) {
            follow(text[i]);
            if (depth == level) {
                return i + 1;
            }
        }
        return text.length;
    }

    /** Follows one byte. */
    void follow(byte c) throws UnreadableResponseException {
        if (string) {
            string = escape || c != '"';
            escape = !escape && c == '\\';
        } else {
            switch (c) {
                case '"' -> string = true;
                case '{' -> open('}');
                case '[' -> open(']');
                case '}', ']' -> close(c);
                default -> {
                    // a name's colon, a comma, a number or a word
                }
            }
        }
    }

    private void open(char end) throws UnreadableResponseException {
        if (depth == ends.length) {
            throw new UnreadableResponseException("the API server sent JSON of more than " + depth + " levels");
        }
        ends[depth++] = (byte) end;
    }

    private void close(byte end) throws UnreadableResponseException {
        if (depth == 0 || ends[--depth] != end) {
            throw new UnreadableResponseException("the API server sent '" + (char) end + "' where none is open");
        }
    }
}
