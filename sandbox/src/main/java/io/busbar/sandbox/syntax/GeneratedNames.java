package io.busbar.sandbox.syntax;

import java.util.concurrent.ThreadLocalRandom;

/** Names that the server makes up: a prefix, and five letters or digits that chance chose. Any thread. */
public final class GeneratedNames {

    /** No vowels and none of 0, 1, 3: nothing that reads as a word (apimachinery, {@code util/rand}). */
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private static final int SUFFIX = 5;
    private static final int LONGEST_PREFIX = 63 - SUFFIX;

    private GeneratedNames() {}

    /** @param prefix cut where the name would be too long for a label */
    public static String of(String prefix) {
        StringBuilder name =
                new StringBuilder(prefix.length() > LONGEST_PREFIX ? prefix.substring(0, LONGEST_PREFIX) : prefix);
        for (int i = 0; i < SUFFIX; i++) {
            name.append(ALPHABET.charAt(ThreadLocalRandom.current().nextInt(ALPHABET.length())));
        }
        return name.toString();
    }
}
