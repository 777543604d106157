package io.busbar.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelEvaluationException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A value as a clause of {@link TextFormat} shows it.
 *
 * <p>Any thread.
 */
final class FormattedValue {

    /** Of types, as errors call them. */
    private static final Map<Class<?>, String> NAMES = Map.of(
            Long.class, "int",
            UnsignedLong.class, "uint",
            Double.class, "double",
            Boolean.class, "bool",
            String.class, "string",
            CelByteString.class, "bytes",
            Instant.class, "google.protobuf.Timestamp",
            Duration.class, "google.protobuf.Duration",
            NullValue.class, "null_type");

    private FormattedValue() {}

    static String of(String verb, int precision, Object value) throws CelEvaluationException {
        Optional<BigInteger> whole = whole(value);
        return switch (verb) {
            case "s" -> plain(value);
            case "d" -> {
                if (value instanceof Double number) {
                    yield GoValues.plain(number);
                }
                yield digits(whole, 10, value, "decimal clause can only be used on ints, uints, and doubles");
            }
            case "f" -> {
                double number = number(value, "fixed-point clause can only be used on ints, uints, and doubles");
                yield Double.isFinite(number) ? signed(number, fixed(number, precision)) : GoValues.plain(number);
            }
            case "e" -> {
                double number = number(value, "scientific clause can only be used on ints, uints, and doubles");
                yield Double.isFinite(number) ? signed(number, scientific(number, precision)) : GoValues.plain(number);
            }
            case "b" -> {
                if (value instanceof Boolean flag) {
                    yield flag ? "1" : "0";
                }
                yield digits(whole, 2, value, "only ints, uints, and bools can be formatted as binary");
            }
            case "o" -> digits(whole, 8, value, "octal clause can only be used on ints and uints");
            case "x" -> hex(value);
            case "X" -> hex(value).toUpperCase(Locale.ROOT);
            default ->
                throw new CelEvaluationException(
                        "could not parse formatting clause: unrecognized formatting clause \"" + verb + "\"");
        };
    }

    private static Optional<BigInteger> whole(Object value) {
        if (value instanceof Long number) {
            return Optional.of(BigInteger.valueOf(number));
        }
        return value instanceof UnsignedLong number ? Optional.of(number.bigIntegerValue()) : Optional.empty();
    }

    private static String digits(Optional<BigInteger> number, int radix, Object value, String rule)
            throws CelEvaluationException {
        return number.orElseThrow(() -> refused(rule, value)).toString(radix);
    }

    private static double number(Object value, String rule) throws CelEvaluationException {
        if (value instanceof Double || value instanceof Long || value instanceof UnsignedLong) {
            return ((Number) value).doubleValue();
        }
        throw refused(rule, value);
    }

    private static String hex(Object value) throws CelEvaluationException {
        if (value instanceof CelByteString bytes) {
            return HexFormat.of().formatHex(bytes.toByteArray());
        }
        return value instanceof String text
                ? HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8))
                : digits(whole(value), 16, value, "only ints, uints, bytes, and strings can be formatted as hex");
    }

    /** Java would round what it shows of a double; Go rounds the double itself. */
    private static String fixed(double number, int precision) {
        return new BigDecimal(Math.abs(number))
                .setScale(precision, RoundingMode.HALF_EVEN)
                .toPlainString();
    }

    private static String scientific(double number, int precision) {
        BigDecimal rounded =
                new BigDecimal(Math.abs(number)).round(new MathContext(precision + 1, RoundingMode.HALF_EVEN));
        int power = rounded.signum() == 0 ? 0 : rounded.precision() - rounded.scale() - 1;
        return rounded.movePointLeft(power)
                        .setScale(precision, RoundingMode.UNNECESSARY)
                        .toPlainString()
                + String.format("e%s%02d", power < 0 ? "-" : "+", Math.abs(power));
    }

    private static String signed(double number, String text) {
        return Math.copySign(1, number) < 0 ? "-" + text : text;
    }

    private static String plain(Object value) throws CelEvaluationException {
        if (value instanceof List<?> list) {
            StringBuilder items = new StringBuilder();
            for (Object item : list) {
                items.append(items.isEmpty() ? "" : ", ").append(plain(item));
            }
            return "[" + items + "]";
        }
        if (value instanceof Map<?, ?> map) {
            List<Map.Entry<String, String>> entries = new ArrayList<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                entries.add(new SimpleEntry<>(plain(entry.getKey()), plain(entry.getValue())));
            }
            return entries.stream()
                    .sorted(Map.Entry.comparingByKey())
                    .map(entry -> entry.getKey() + ": " + entry.getValue())
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Double number) {
            return GoValues.plain(number);
        }
        if (value instanceof Duration duration) {
            return GoValues.seconds(duration);
        }
        if (value instanceof Instant time) {
            return GoValues.text(time);
        }
        if (value instanceof CelByteString bytes) {
            return bytes.toStringUtf8();
        }
        if (value instanceof TypeType type) {
            return type.parameters().stream().findFirst().map(CelType::name).orElse(type.name());
        }
        if (value instanceof String || value instanceof Boolean || whole(value).isPresent()) {
            return String.valueOf(value);
        }
        if (value instanceof NullValue) {
            return "null";
        }
        throw refused(
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations,"
                        + " and timestamps",
                value);
    }

    private static CelEvaluationException refused(String rule, Object value) {
        return new CelEvaluationException("error during formatting: " + rule + ", was given " + typeOf(value));
    }

    private static String typeOf(Object value) {
        if (value instanceof List) {
            return "list";
        }
        return value instanceof Map ? "map" : NAMES.getOrDefault(value.getClass(), "an object");
    }
}
