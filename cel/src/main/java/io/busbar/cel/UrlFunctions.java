package io.busbar.cel;

import dev.cel.common.types.OpaqueType;
import dev.cel.runtime.CelEvaluationException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code url}, {@code isURL}, and the parts of a URL. Any thread. */
final class UrlFunctions {

    private UrlFunctions() {}

    static void addTo(KubernetesLibrary overloads) {
        overloads.type("URL", OpaqueType.create("kubernetes.URL"), URI.class);
        overloads.global(
                "URL url(string)",
                (String text) -> parse(text)
                        .orElseThrow(() -> new CelEvaluationException(
                                "URL parse error during conversion from string: invalid URL " + text)));
        overloads.global("bool isURL(string)", (String text) -> parse(text).isPresent());
        part(overloads, "getScheme", URI::getScheme);
        part(overloads, "getHost", UrlFunctions::host);
        part(overloads, "getHostname", UrlFunctions::hostname);
        part(overloads, "getPort", url -> url.getPort() < 0 ? "" : Integer.toString(url.getPort()));
        part(overloads, "getEscapedPath", URI::getRawPath);
        overloads.member("map(string,list(string)) getQuery(URL)", UrlFunctions::query);
    }

    private static void part(KubernetesLibrary overloads, String name, Function<URI, @Nullable String> part) {
        overloads.member("string " + name + "(URL)", (URI url) -> {
            String value = part.apply(url);
            return value == null ? "" : value;
        });
    }

    /** As Go's {@code url.ParseRequestURI}: absolute, or a path from the root. */
    private static Optional<URI> parse(String text) {
        try {
            URI url = new URI(text);
            return url.isAbsolute() || text.startsWith("/") ? Optional.of(url) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static String host(URI url) {
        String authority = url.getRawAuthority() == null ? "" : url.getRawAuthority();
        return authority.substring(authority.indexOf('@') + 1);
    }

    private static String hostname(URI url) {
        String host = url.getHost() == null ? "" : url.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static Map<String, List<String>> query(URI url) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        String text = url.getRawQuery() == null ? "" : url.getRawQuery();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            if (!pair.isEmpty()) {
                query.computeIfAbsent(decoded(key), absent -> new ArrayList<>())
                        .add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return query;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
