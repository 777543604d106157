package io.busbar.common.traffic;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads how long a server wants to be left alone. Any thread.
 *
 * <p>Source: RFC 9110, 10.2.3.
 */
public final class RetryAfter {

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    private static final Duration UNSAID = Duration.ofSeconds(1);

    private RetryAfter() {}

    /**
     * What the answer to a request says, whichever request it was.
     *
     * @param code the HTTP status
     * @param header the value of {@code Retry-After}; null where there is none
     * @return never negative. Empty where the server is not overloaded, or is away without a word of when it will be
     *     back; one second for a 429 that says nothing that makes sense
     */
    public static Optional<Duration> of(int code, @Nullable String header, Instant now) {
        return switch (code) {
            case TOO_MANY_REQUESTS -> Optional.of(parsed(header, now).orElse(UNSAID));
            case UNAVAILABLE -> parsed(header, now);
            default -> Optional.empty();
        };
    }

    private static Optional<Duration> parsed(@Nullable String header, Instant now) {
        if (header == null) {
            return Optional.empty();
        }
        String value = header.strip();
        try {
            return value.matches("\\d{1,9}")
                    ? Optional.of(Duration.ofSeconds(Long.parseLong(value)))
                    : Optional.of(untilDate(value, now));
        } catch (DateTimeException noDate) {
            return Optional.empty();
        }
    }

    private static Duration untilDate(String date, Instant now) {
        Duration until = Duration.between(
                now,
                ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
        return until.isNegative() ? Duration.ZERO : until;
    }
}
