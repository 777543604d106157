package io.busbar.cel;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/**
 * Numbers and times as Go writes them, with as few digits as tell a number from all others.
 *
 * <p>Any thread.
 */
public final class GoValues {

    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(-1).toFormatter(Locale.ROOT);

    private static final DateTimeFormatter TIME_IN_SECONDS =
            new DateTimeFormatterBuilder().appendInstant(0).toFormatter(Locale.ROOT);

    /** From here on, and below the other one, a number has an exponent. */
    private static final int HIGH = 6;

    private static final int LOW = -4;
    private static final int HIGH_IN_JSON = 21;
    private static final int LOW_IN_JSON = -6;

    private GoValues() {}

    /** As {@code %g}: {@code 25}, {@code 1e+21}, {@code +Inf}. */
    public static String text(double number) {
        if (Double.isInfinite(number)) {
            return number > 0 ? "+Inf" : "-Inf";
        }
        return text(number, LOW, HIGH, "e%s%02d");
    }

    /** The same of one that is not rounded to a double. */
    public static String text(BigDecimal number) {
        return text(number, LOW, HIGH, "e%s%02d");
    }

    /** As its JSON has it: without an exponent from 1e-6 to 1e21. There is none of what is no number, or infinite. */
    public static String json(double number) {
        return text(number, LOW_IN_JSON, HIGH_IN_JSON, "e%s%d");
    }

    /** As {@code %f} without a precision: all digits, and no exponent; {@code Infinity}, as CEL calls it. */
    static String plain(double number) {
        return text(number, Integer.MIN_VALUE, Integer.MAX_VALUE, "");
    }

    private static String text(double number, int low, int high, String exponent) {
        if (!Double.isFinite(number)) {
            return Double.toString(number);
        }
        boolean negativeZero = number == 0 && 1 / number < 0;
        return negativeZero ? "-0" : text(new BigDecimal(NumberOutput.toString(number, true)), low, high, exponent);
    }

    private static String text(BigDecimal number, int low, int high, String exponent) {
        BigDecimal stripped = number.stripTrailingZeros();
        int power = stripped.precision() - stripped.scale() - 1;
        if (stripped.signum() == 0 || (power >= low && power < high)) {
            return stripped.signum() == 0 ? "0" : stripped.toPlainString();
        }
        BigDecimal mantissa = stripped.movePointLeft(power);
        return mantissa.toPlainString() + String.format(exponent, power < 0 ? "-" : "+", Math.abs(power));
    }

    /** As CEL for Go makes a text of it: {@code 5400s}. */
    static String seconds(Duration duration) {
        long seconds = duration.getSeconds();
        int nanos = duration.getNano();
        boolean borrowed = seconds < 0 && nanos > 0;
        double all = borrowed ? (seconds + 1) + (nanos - 1_000_000_000) / 1e9 : seconds + nanos / 1e9;
        return plain(all) + "s";
    }

    /** As Go's {@code Duration}: {@code 1h30m0s}, {@code 1.5ms}. */
    public static String text(Duration duration) {
        if (duration.isNegative()) {
            return "-" + text(duration.negated());
        }
        long nanos = duration.getNano();
        if (duration.getSeconds() == 0) {
            return nanos == 0
                    ? "0s"
                    : nanos < 1_000
                            ? nanos + "ns"
                            : nanos < 1_000_000 ? point(nanos, 3) + "µs" : point(nanos, 6) + "ms";
        }
        long minutes = duration.toMinutes();
        String seconds = point(duration.toSecondsPart() * 1_000_000_000L + nanos, 9) + "s";
        return (minutes < 60 ? "" : minutes / 60 + "h") + (minutes == 0 ? "" : minutes % 60 + "m") + seconds;
    }

    private static String point(long unscaled, int digits) {
        return plain(BigDecimal.valueOf(unscaled, digits));
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }

    /** As {@code time.RFC3339Nano}, in UTC. */
    static String text(Instant time) {
        return TIME.format(time);
    }

    /** As {@code time.RFC3339}, in UTC. */
    static String textInSeconds(Instant time) {
        return TIME_IN_SECONDS.format(time);
    }
}
