package io.busbar.sandbox.cel;

import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import io.busbar.sandbox.cel.Overloads.Kind;
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

/** {@code url}, {@code isURL}, and the parts of a URL. Any thread. */
final class UrlFunctions {

    private static final Kind URL = new Kind(OpaqueType.create("kubernetes.URL"), URI.class);

    private UrlFunctions() {}

    static void addTo(Overloads overloads) {
        overloads.global(
                "url",
                URL.type(),
                List.of(ParameterKinds.TEXT),
                arguments -> parse((String) arguments[0])
                        .orElseThrow(() -> new CelEvaluationException(
                                "URL parse error during conversion from string: invalid URL " + arguments[0])));
        overloads.global(
                "isURL",
                SimpleType.BOOL,
                List.of(ParameterKinds.TEXT),
                arguments -> parse((String) arguments[0]).isPresent());
        part(overloads, "getScheme", URI::getScheme);
        part(overloads, "getHost", UrlFunctions::host);
        part(overloads, "getHostname", UrlFunctions::hostname);
        part(overloads, "getPort", url -> url.getPort() < 0 ? "" : Integer.toString(url.getPort()));
        part(overloads, "getEscapedPath", URI::getRawPath);
        overloads.member(
                "getQuery",
                MapType.create(SimpleType.STRING, ListType.create(SimpleType.STRING)),
                List.of(URL),
                arguments -> query((URI) arguments[0]));
    }

    private static void part(Overloads overloads, String name, Function<URI, String> part) {
        overloads.member(name, SimpleType.STRING, List.of(URL), arguments -> {
            String value = part.apply((URI) arguments[0]);
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
