package io.busbar.sandbox.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelEvaluationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** {@code find} and {@code findAll} by regular expressions, and {@code format}. Any thread. */
final class TextFunctions {

    private TextFunctions() {}

    static void addTo(Overloads overloads) {
        overloads.member(
                "find",
                SimpleType.STRING,
                List.of(Kinds.TEXT, Kinds.TEXT),
                arguments -> found(arguments, 1).stream().findFirst().orElse(""));
        overloads.member(
                "findAll",
                ListType.create(SimpleType.STRING),
                List.of(Kinds.TEXT, Kinds.TEXT),
                arguments -> found(arguments, Long.MAX_VALUE));
        overloads.member(
                "findAll",
                ListType.create(SimpleType.STRING),
                List.of(Kinds.TEXT, Kinds.TEXT, Kinds.WHOLE),
                arguments -> found(arguments, (Long) arguments[2] < 0 ? Long.MAX_VALUE : (Long) arguments[2]));
        overloads.member(
                "format",
                SimpleType.STRING,
                List.of(Kinds.TEXT, new Overloads.Kind(ListType.create(SimpleType.DYN), List.class)),
                arguments -> format((String) arguments[0], (List<?>) arguments[1]));
    }

    private static List<String> found(Object[] arguments, long most) throws CelEvaluationException {
        try {
            Matcher matcher = Pattern.compile((String) arguments[1]).matcher((String) arguments[0]);
            List<String> found = new ArrayList<>();
            while (found.size() < most && matcher.find()) {
                found.add(matcher.group());
            }
            return found;
        } catch (PatternSyntaxException e) {
            throw new CelEvaluationException("Illegal regex: " + e.getMessage(), e);
        }
    }

    /** {@code %s}, {@code %d}, {@code %f}, {@code %e}, {@code %b}, {@code %o}, {@code %x}, {@code %X} and {@code %%}. */
    private static String format(String pattern, List<?> values) throws CelEvaluationException {
        StringBuilder text = new StringBuilder();
        int next = 0;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c != '%') {
                text.append(c);
                continue;
            }
            int start = i;
            i++;
            while (i < pattern.length() && ".0123456789".indexOf(pattern.charAt(i)) >= 0) {
                i++;
            }
            if (i == pattern.length()) {
                throw new CelEvaluationException("unexpected end of string");
            }
            if (pattern.charAt(i) == '%') {
                text.append('%');
                continue;
            }
            if (next == values.size()) {
                throw new CelEvaluationException("index " + next + " out of range");
            }
            text.append(clause(pattern.substring(start + 1, i), pattern.charAt(i), values.get(next++)));
        }
        return text.toString();
    }

    private static String clause(String precision, char verb, Object value) throws CelEvaluationException {
        if (verb == 's') {
            return plain(value);
        }
        if (value instanceof Long number) {
            switch (verb) {
                case 'd':
                    return number.toString();
                case 'b':
                    return Long.toBinaryString(number);
                case 'o':
                    return Long.toOctalString(number);
                case 'x', 'X':
                    return String.format("%" + verb, number);
                default:
            }
        }
        if (value instanceof Boolean flag && verb == 'b') {
            return flag ? "1" : "0";
        }
        if (value instanceof Double number && (verb == 'f' || verb == 'e')) {
            return String.format("%" + (precision.isEmpty() ? ".6" : precision) + verb, number);
        }
        throw new CelEvaluationException("error during formatting: could not convert argument to the clause %" + verb);
    }

    private static String plain(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(TextFunctions::plain).collect(Collectors.joining(", ", "[", "]"));
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
