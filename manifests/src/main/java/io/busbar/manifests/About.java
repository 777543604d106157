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
 */
public record About(
        String version,
        String displayName,
        String summary,
        String description,
        String provider,
        Optional<URI> home,
        List<String> keywords) {

    private static final Pattern SEMANTIC = Pattern.compile("\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?");

    public About {
        if (!SEMANTIC.matcher(version).matches()) {
            throw new IllegalArgumentException("version of operator " + displayName + ": " + version
                    + ", allowed: MAJOR.MINOR.PATCH[-PRERELEASE]");
        }
        keywords = List.copyOf(keywords);
    }
}
