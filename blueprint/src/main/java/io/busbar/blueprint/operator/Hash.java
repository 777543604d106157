package io.busbar.blueprint.operator;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;

/** Tells texts apart. Any thread. */
final class Hash {

    private Hash() {}

    static String of(String text) {
        return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).toString();
    }
}
