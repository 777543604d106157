package io.busbar.cel;

import dev.cel.runtime.CelEvaluationException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code format} of texts: {@code %s}, {@code %d}, {@code %f}, {@code %e}, {@code %b}, {@code %o}, {@code %x}, {@code
 * %X} and {@code %%}, as the newer one of the two formatters of CEL for Go has them.
 *
 * <p>Any thread.
 */
final class TextFormat {

    private static final Pattern CLAUSE = Pattern.compile("%(?<precision>\\.[0-9]*)?(?<verb>.?)", Pattern.DOTALL);

    private static final int PRECISION = 6;

    private static final int MOST_PRECISION = 100;

    /** Of the digits of a precision that fits an int. */
    private static final int LONGEST = 9;

    private TextFormat() {}

    static String format(String pattern, List<?> values) throws CelEvaluationException {
        StringBuilder text = new StringBuilder();
        Matcher clause = CLAUSE.matcher(pattern);
        int next = 0;
        while (clause.find()) {
            String shown = "%";
            if (!clause.group().equals("%%")) {
                String verb = clause.group("verb");
                int precision = precision(clause.group("precision"), verb);
                if (next == values.size()) {
                    throw new CelEvaluationException("index " + next + " out of range");
                }
                shown = FormattedValue.of(verb, precision, values.get(next));
                next++;
            }
            clause.appendReplacement(text, Matcher.quoteReplacement(shown));
        }
        return clause.appendTail(text).toString();
    }

    private static int precision(@Nullable String written, String verb) throws CelEvaluationException {
        if (written == null) {
            if (verb.isEmpty()) {
                throw new CelEvaluationException("unexpected end of string");
            }
            return PRECISION;
        }
        String digits = written.substring(1);
        if (verb.isEmpty()) {
            throw wrongPrecision("could not find end of precision specifier");
        }
        if (digits.isEmpty()) {
            throw wrongPrecision(
                    "error while converting precision to integer: strconv.Atoi: parsing \"\": invalid syntax");
        }
        if (digits.length() > LONGEST || Integer.parseInt(digits) > MOST_PRECISION) {
            throw wrongPrecision("precision " + digits + " exceeds maximum allowed precision " + MOST_PRECISION);
        }
        return Integer.parseInt(digits);
    }

    private static CelEvaluationException wrongPrecision(String why) {
        return new CelEvaluationException("could not parse formatting clause: error while parsing precision: " + why);
    }
}
