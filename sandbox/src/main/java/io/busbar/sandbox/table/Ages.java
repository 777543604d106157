package io.busbar.sandbox.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/**
 * Durations as kubectl prints them: 5s, 3m20s, 7h, 2d4h.
 *
 * <p>Any thread. The steps are those of apimachinery's {@code duration.HumanDuration}.
 */
final class Ages {

    private Ages() {}

    /** {@code <unknown>} for no time at all. */
    static String since(JsonNode timestamp, Instant now) {
        if (!timestamp.isTextual()) {
            return "<unknown>";
        }
        try {
            return human(Duration.between(Instant.parse(timestamp.asText()), now));
        } catch (DateTimeParseException e) {
            return "<invalid>";
        }
    }

    static String human(Duration duration) {
        long seconds = duration.toSeconds();
        long minutes = duration.toMinutes();
        long hours = duration.toHours();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 120) {
            return Math.max(0, seconds) + "s";
        }
        if (minutes < 10) {
            return pair(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        if (hours < 8) {
            return pair(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        if (hours < 192) {
            return pair(hours / 24, "d", hours % 24, "h");
        }
        if (hours < 24 * 365 * 2) {
            return hours / 24 + "d";
        }
        return hours < 24 * 365 * 8 ? pair(hours / 24 / 365, "y", hours / 24 % 365, "d") : hours / 24 / 365 + "y";
    }

    private static String pair(long large, String unit, long small, String smallUnit) {
        return small == 0 ? large + unit : large + unit + small + smallUnit;
    }
}
