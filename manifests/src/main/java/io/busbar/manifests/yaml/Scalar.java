package io.busbar.manifests.yaml;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A string as YAML: plain where every reader sees a string in it, else in double quotes.
 *
 * <p>Immutable. Source: YAML 1.1 (bool, null, float and sexagesimal forms, which Kubernetes' tools still read) and YAML
 * 1.2.
 */
final class Scalar {

    /** Begins as no number, flow or indicator does, and holds neither {@code ": "} nor {@code " #"}. */
    private static final Pattern PLAIN =
            Pattern.compile("(?:[A-Za-z_/]|\\.(?![0-9._]))(?:[A-Za-z0-9_./()@+=,-]|:(?=[^ ])| (?=[A-Za-z0-9(./_-]))*+");

    private static final Set<String> NOT_STRINGS =
            Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null", ".inf", ".nan");

    private Scalar() {}

    static String of(String text) {
        boolean plain = PLAIN.matcher(text).matches() && !NOT_STRINGS.contains(text.toLowerCase(Locale.ROOT));
        return plain ? text : quoted(text);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(character -> append(quoted, character));
        return quoted.append('"').toString();
    }

    private static void append(StringBuilder quoted, int character) {
        switch (character) {
            case '"', '\\' -> quoted.append('\\').appendCodePoint(character);
            case '\n' -> quoted.append("\\n");
            case '\t' -> quoted.append("\\t");
            default -> {
                if (isPrintable(character)) {
                    quoted.appendCodePoint(character);
                } else {
                    quoted.append(String.format(Locale.ROOT, "\\u%04X", character));
                }
            }
        }
    }

    private static boolean isPrintable(int character) {
        return character == ' '
                || Character.isSupplementaryCodePoint(character)
                || (Character.isDefined(character)
                        && !Character.isISOControl(character)
                        && !Character.isSpaceChar(character)
                        && Character.getType(character) != Character.SURROGATE
                        && Character.getType(character) != Character.FORMAT);
    }
}
