package io.busbar.sandbox.http;

import io.vertx.core.MultiMap;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads URLs as Go's {@code net/url} does: what is malformed in a query is left out. Any thread. */
final class RawUrl {

    private RawUrl() {}

    static MultiMap query(String uri) {
        MultiMap query = MultiMap.caseInsensitiveMultiMap();
        int start = uri.indexOf('?');
        if (start >= 0) {
            for (String pair : uri.substring(start + 1).split("&", -1)) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                decoded(name)
                        .filter(decoded -> !pair.isEmpty())
                        .ifPresent(decoded -> decoded(value).ifPresent(text -> query.add(decoded, text)));
            }
        }
        return query;
    }

    /** The path without its escapes; as it is when they are malformed, so that nothing is found there. */
    static String path(String raw) {
        return raw.indexOf('%') < 0 ? raw : decoded(raw.replace("+", "%2B")).orElse(raw);
    }

    private static Optional<String> decoded(String text) {
        try {
            return Optional.of(URLDecoder.decode(text, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}
