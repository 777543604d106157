package io.busbar.watcher.wire;

import io.busbar.common.internal.json.JsonScanner;

/**
 * A part of a text that is JSON by itself.
 *
 * @param end exclusive
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Piece(byte[] text, int begin, int end) {

    static Piece whole(byte[] text) {
        return new Piece(text, 0, text.length);
    }

    int length() {
        return end - begin;
    }

    JsonScanner scanner() {
        return new JsonScanner(text, begin, end);
    }
}
