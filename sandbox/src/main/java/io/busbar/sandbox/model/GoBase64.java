package io.busbar.sandbox.model;

import java.util.Optional;

/** Whether Go's decoder takes a text as base64, and in which words it refuses. Any thread. */
final class GoBase64 {

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private GoBase64() {}

    /** Empty when it is base64; line ends may stand anywhere. */
    static Optional<String> problem(String text) {
        int place = wrong(text);
        return place < 0 ? Optional.empty() : Optional.of("illegal base64 data at input byte " + place);
    }

    /** The place that Go names; -1 for none. */
    private static int wrong(String text) {
        int inGroup = 0;
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == '\n' || each == '\r') {
                continue;
            }
            if (each == '=') {
                return inGroup < 2 ? i : padding(text, i, inGroup);
            }
            if (ALPHABET.indexOf(each) < 0) {
                return i;
            }
            inGroup = (inGroup + 1) % 4;
        }
        return inGroup == 0 ? -1 : text.length() - inGroup;
    }

    /** @param first where the first equals sign stands */
    private static int padding(String text, int first, int inGroup) {
        int next = afterLineEnds(text, first + 1);
        if (inGroup == 2) {
            if (next == text.length()) {
                return next;
            }
            if (text.charAt(next) != '=') {
                return next - 1;
            }
            next = afterLineEnds(text, next + 1);
        }
        return next < text.length() ? next : -1;
    }

    private static int afterLineEnds(String text, int from) {
        int next = from;
        while (next < text.length() && (text.charAt(next) == '\n' || text.charAt(next) == '\r')) {
            next++;
        }
        return next;
    }
}
