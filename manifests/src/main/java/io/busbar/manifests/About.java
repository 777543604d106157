package io.busbar.manifests;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What catalogues tell people of an operator: Helm's, and that of the Operator Lifecycle Manager.
 *
 * <p>Immutable.
 *
 * @param version semantic, such as {@code 1.2.0}; of the chart and the bundle too
 * @param displayName for headings
 * @param summary one sentence
 * @param description some paragraphs, as Markdown
 * @param provider who makes it
 * @param home where to read more, if anywhere
 * @param keywords to be found by
 * @param catalog what catalogues show beside these words
 */
public record About(
        String version,
        String displayName,
        String summary,
        String description,
        String provider,
        Optional<URI> home,
        List<String> keywords,
        Catalog catalog) {

    /** What {@link #isVersion} takes, in words. */
    public static final String ALLOWED_VERSIONS = "MAJOR.MINOR.PATCH[-PRERELEASE]";

    private static final Pattern SEMANTIC = Pattern.compile("\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?");

    public About {
        requireSemantic("version of operator " + displayName, version);
        keywords = List.copyOf(keywords);
    }

    /** With words alone. */
    public About(
            String version,
            String displayName,
            String summary,
            String description,
            String provider,
            Optional<URI> home,
            List<String> keywords) {
        this(version, displayName, summary, description, provider, home, keywords, Catalog.empty());
    }

    /** The same words beside something else. */
    public About with(Catalog other) {
        return new About(version, displayName, summary, description, provider, home, keywords, other);
    }

    /** Whether an operator may have this version. */
    public static boolean isVersion(String version) {
        return SEMANTIC.matcher(version).matches();
    }

    static void requireSemantic(String what, String version) {
        if (!isVersion(version)) {
            throw new IllegalArgumentException(what + ": " + version + ", allowed: " + ALLOWED_VERSIONS);
        }
    }
}
