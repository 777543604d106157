package io.busbar.runtime.flags;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations as Go's flags have them: {@code 1h30m}, {@code 1.5s}, {@code 250ms}, {@code 0}. Immutable. */
public final class GoDuration implements ITypeConverter<Duration> {

    private static final Pattern WHOLE = Pattern.compile("(\\d{1,9}(\\.\\d{1,9})?(ns|us|ms|s|m|h))+");
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|ms|s|m|h)");

    @Override
    public Duration convert(String value) {
        if (value.equals("0")) {
            return Duration.ZERO;
        }
        if (!WHOLE.matcher(value).matches()) {
            throw new TypeConversionException("'" + value
                    + "' is not allowed; allowed: numbers with units ns, us, ms, s, m, h, such as 1h30m or 1.5s");
        }
        Duration sum = Duration.ZERO;
        for (Matcher part = PART.matcher(value); part.find(); ) {
            BigDecimal nanos = new BigDecimal(part.group(1))
                    .multiply(BigDecimal.valueOf(unit(part.group(2)).toNanos()));
            sum = sum.plusNanos(nanos.longValue());
        }
        return sum;
    }

    private static Duration unit(String name) {
        return switch (name) {
            case "h" -> Duration.ofHours(1);
            case "m" -> Duration.ofMinutes(1);
            case "s" -> Duration.ofSeconds(1);
            case "ms" -> Duration.ofMillis(1);
            case "us" -> Duration.ofNanos(1_000);
            default -> Duration.ofNanos(1);
        };
    }
}
