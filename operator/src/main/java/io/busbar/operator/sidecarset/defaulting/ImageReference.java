package io.busbar.operator.sidecarset.defaulting;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of an image says of pulling it. Pure functions, any thread.
 *
 * <p>Source: core/v1's defaulting, and the grammar of references of the distribution project.
 */
final class ImageReference {

    private static final Pattern REFERENCE = Pattern.compile("(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::\\d+)?/)?"
            + "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*)*"
            + "(?::(?<tag>\\w[\\w.-]{0,127}))?(?<digest>@[a-zA-Z][\\w.+-]*:[0-9a-fA-F]{32,})?");

    private ImageReference() {}

    /** {@code Always} for the tag {@code latest}, said or meant, else {@code IfNotPresent}. */
    static String defaultPullPolicy(String image) {
        Matcher matcher = REFERENCE.matcher(image);
        boolean latest = matcher.matches()
                && (matcher.group("tag") == null
                        ? matcher.group("digest") == null
                        : matcher.group("tag").equals("latest"));
        return latest ? "Always" : "IfNotPresent";
    }
}
