package io.busbar.sandbox.syntax;

import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * Whether Go takes a text as a time of RFC 3339, and in which words it refuses.
 *
 * <p>From the documentation of Go's package {@code time}. One thread; {@link #problem} any.
 */
public final class GoTime {

    private static final String SECONDS = "2006-01-02T15:04:05Z07:00";
    private static final String MICROS = "2006-01-02T15:04:05.000000Z07:00";

    private static final DateTimeFormatter WRITTEN_SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'");
    private static final DateTimeFormatter WRITTEN_MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

    private final String text;
    private final String layout;
    private int at;

    private GoTime(String text, String layout) {
        this.text = text;
        this.layout = layout;
    }

    /**
     * Empty when it is a time.
     *
     * @param micro whether it has to have six digits after the second, which a time else may have or not
     */
    public static Optional<String> problem(String text, boolean micro) {
        try {
            new GoTime(text, micro ? MICROS : SECONDS).read(micro);
            return Optional.empty();
        } catch (NoTimeException e) {
            return Optional.of("parsing time " + GoText.quote(text) + e.getMessage());
        }
    }

    /**
     * As Go writes a time that it has read.
     *
     * @param micro whether with six digits after the second, or none
     */
    public static String inUtc(String text, boolean micro) {
        if (text.endsWith("Z") && text.length() == (micro ? 27 : 20)) {
            return text;
        }
        // An hour may have one digit.
        String padded = text.length() > 12 && text.charAt(12) == ':' ? text.replace("T", "T0") : text;
        OffsetDateTime time = OffsetDateTime.parse(padded.replace(',', '.'));
        return (micro ? WRITTEN_MICROS : WRITTEN_SECONDS).format(time.withOffsetSameInstant(ZoneOffset.UTC));
    }

    private void read(boolean micro) {
        int year = number("2006", 4, 4);
        literal("-");
        int month = number("01", 2, 2);
        within(month >= 1 && month <= 12, "month");
        literal("-");
        int day = number("02", 2, 2);
        literal("T");
        within(number("15", 1, 2) < 24, "hour");
        literal(":");
        within(number("04", 2, 2) < 60, "minute");
        literal(":");
        within(number("05", 2, 2) < 60, "second");
        if (micro) {
            fraction();
        } else if (at + 1 < text.length() && ".,".indexOf(text.charAt(at)) >= 0 && isDigit(at + 1)) {
            at++;
            while (isDigit(at)) {
                at++;
            }
        }
        zone();
        if (at < text.length()) {
            throw new NoTimeException(": extra text: " + GoText.quote(text.substring(at)));
        }
        within(day >= 1 && day <= YearMonth.of(year, month).lengthOfMonth(), "day");
    }

    private int number(String element, int least, int most) {
        int end = at;
        while (end < at + most && isDigit(end)) {
            end++;
        }
        if (end - at < least) {
            throw cannotParse(element);
        }
        int value = Integer.parseInt(text.substring(at, end));
        at = end;
        return value;
    }

    private void literal(String literal) {
        if (!text.startsWith(literal, at)) {
            throw cannotParse(literal);
        }
        at += literal.length();
    }

    private void fraction() {
        boolean fits = text.length() >= at + 7 && ".,".indexOf(text.charAt(at)) >= 0;
        for (int i = at + 1; fits && i < at + 7; i++) {
            fits = isDigit(i);
        }
        if (!fits) {
            throw cannotParse(".000000");
        }
        at += 7;
    }

    private void zone() {
        if (text.startsWith("Z", at)) {
            at++;
            return;
        }
        if (text.length() < at + 6
                || "+-".indexOf(text.charAt(at)) < 0
                || text.charAt(at + 3) != ':'
                || !(isDigit(at + 1) && isDigit(at + 2) && isDigit(at + 4) && isDigit(at + 5))) {
            throw cannotParse("Z07:00");
        }
        within(Integer.parseInt(text.substring(at + 1, at + 3)) <= 24, "time zone offset hour");
        within(Integer.parseInt(text.substring(at + 4, at + 6)) <= 60, "time zone offset minute");
        at += 6;
    }

    private boolean isDigit(int index) {
        return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
    }

    private static void within(boolean fits, String element) {
        if (!fits) {
            throw new NoTimeException(": " + element + " out of range");
        }
    }

    private NoTimeException cannotParse(String element) {
        return new NoTimeException(" as " + GoText.quote(layout) + ": cannot parse " + GoText.quote(text.substring(at))
                + " as " + GoText.quote(element));
    }

    private static final class NoTimeException extends RuntimeException {

        private static final long serialVersionUID = 1;

        NoTimeException(String message) {
            super(message, null, false, false);
        }
    }
}
