package io.busbar.cel;

import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelEvaluationException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * {@code format} of texts: {@code %s}, {@code %d}, {@code %f}, {@code %e}, {@code %b}, {@code %o}, {@code %x}, {@code
 * %X} and {@code %%}.
 *
 * <p>Any thread.
 */
final class TextFormat {

    private static final Pattern CLAUSE = Pattern.compile("%(?<precision>\\.?[0-9]*)(?<verb>.?)");

    /** With its dot. */
    private static final int LONGEST_PRECISION = 4;

    private TextFormat() {}

    static String format(String pattern, List<?> values) throws CelEvaluationException {
        StringBuilder text = new StringBuilder();
        Matcher clause = CLAUSE.matcher(pattern);
        int next = 0;
        while (clause.find()) {
            String verb = clause.group("verb");
            String shown = "%";
            if (verb.isEmpty()) {
                throw new CelEvaluationException("unexpected end of string");
            }
            if (!verb.equals("%")) {
                if (next == values.size()) {
                    throw new CelEvaluationException("index " + next + " out of range");
                }
                shown = clause(clause.group("precision"), verb, values.get(next));
                next++;
            }
            clause.appendReplacement(text, Matcher.quoteReplacement(shown));
        }
        return clause.appendTail(text).toString();
    }

    private static String clause(String precision, String verb, Object value) throws CelEvaluationException {
        if (verb.equals("s")) {
            return plain(value);
        }
        if (value instanceof Long number && "dboxX".contains(verb)) {
            return switch (verb) {
                case "d" -> number.toString();
                case "b" -> Long.toBinaryString(number);
                case "o" -> Long.toOctalString(number);
                default -> String.format("%" + verb, number);
            };
        }
        if ("xX".contains(verb) && (value instanceof String || value instanceof CelByteString)) {
            byte[] bytes = value instanceof CelByteString raw
                    ? raw.toByteArray()
                    : String.valueOf(value).getBytes(StandardCharsets.UTF_8);
            HexFormat digits = HexFormat.of();
            return (verb.equals("x") ? digits : digits.withUpperCase()).formatHex(bytes);
        }
        if (value instanceof Boolean flag && verb.equals("b")) {
            return flag ? "1" : "0";
        }
        if (precision.length() > LONGEST_PRECISION) {
            throw new CelEvaluationException(
                    "precision " + precision.substring(1) + " exceeds max allowed precision of 999");
        }
        if (value instanceof Double number && "fe".contains(verb)) {
            return String.format("%" + (precision.isEmpty() ? ".6" : precision) + verb, number);
        }
        throw new CelEvaluationException("error during formatting: could not convert argument to the clause %" + verb);
    }

    private static String plain(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(TextFormat::plain).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, String> sorted = new TreeMap<>();
            map.forEach((key, item) -> sorted.put(plain(key), plain(item)));
            return sorted.entrySet().stream()
                    .map(entry -> entry.getKey() + ": " + entry.getValue())
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15) {
            return Long.toString(number.longValue());
        }
        return value instanceof NullValue ? "null" : String.valueOf(value);
    }
}
