package io.busbar.admission.server;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The {@code timeout} that API servers send along, in Go's form of a duration such as {@code 10s} or {@code 1m30s}. */
final class Timeouts {

    private static final String NAME = "timeout=";
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(h|ms|m|s)");

    private Timeouts() {}

    /**
     * Of a query; the fallback where there is none that can be read.
     *
     * @param longest what a longer one counts as: who asks must not say for how long we keep what they send
     */
    static Duration of(@Nullable String query, Duration fallback, Duration longest) {
        Duration named = named(query, fallback);
        return named.compareTo(longest) > 0 ? longest : named;
    }

    private static Duration named(@Nullable String query, Duration fallback) {
        if (query == null) {
            return fallback;
        }
        int start = query.startsWith(NAME) ? 0 : query.indexOf("&" + NAME) + 1;
        if (!query.startsWith(NAME, start)) {
            return fallback;
        }
        int end = query.indexOf('&', start);
        return parse(query.substring(start + NAME.length(), end < 0 ? query.length() : end), fallback);
    }

    private static Duration parse(String text, Duration fallback) {
        Duration result = Duration.ZERO;
        Matcher part = PART.matcher(text);
        int at = 0;
        while (at < text.length() && part.find(at) && part.start() == at) {
            result = result.plus(one(Long.parseLong(part.group(1)), part.group(2)));
            at = part.end();
        }
        return at == text.length() && result.compareTo(Duration.ZERO) > 0 ? result : fallback;
    }

    private static Duration one(long number, String unit) {
        return switch (unit) {
            case "h" -> Duration.ofHours(number);
            case "m" -> Duration.ofMinutes(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMillis(number);
        };
    }
}
