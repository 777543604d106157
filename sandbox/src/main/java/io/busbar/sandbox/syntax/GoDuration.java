package io.busbar.sandbox.syntax;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Spans of time as Go writes them, such as {@code 1h30m}, from the documentation of its package {@code time}. */
final class GoDuration {

    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)([^.\\d]*)");
    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "μs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private GoDuration() {}

    /** @throws IllegalArgumentException in the words of Go */
    static Duration parse(String text) {
        boolean negative = text.startsWith("-");
        String rest = negative || text.startsWith("+") ? text.substring(1) : text;
        if (rest.equals("0")) {
            return Duration.ZERO;
        }
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher part = PART.matcher(rest);
        int at = 0;
        while (at < rest.length() && part.find(at) && part.start() == at) {
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit(part.group(2), text))));
            at = part.end();
        }
        if (rest.isEmpty() || at < rest.length() || nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("time: invalid duration " + GoText.quote(text));
        }
        return Duration.ofNanos(negative ? -nanos.longValue() : nanos.longValue());
    }

    private static long unit(String unit, String text) {
        if (unit.isEmpty()) {
            throw new IllegalArgumentException("time: missing unit in duration " + GoText.quote(text));
        }
        Long nanos = NANOS.get(unit);
        if (nanos == null) {
            throw new IllegalArgumentException(
                    "time: unknown unit " + GoText.quote(unit) + " in duration " + GoText.quote(text));
        }
        return nanos;
    }
}
