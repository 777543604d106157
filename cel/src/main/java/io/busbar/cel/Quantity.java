package io.busbar.cel;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of a resource, such as {@code 100m} or {@code 1Gi}, in the API server's canonical form.
 *
 * <p>Immutable.
 *
 * @param value rounded up to a billionth
 * @param canonical the text that the API server would write
 */
public record Quantity(BigDecimal value, String canonical) {

    public static final String EXPRESSION = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$";

    private static final Pattern TEXT = Pattern.compile(
            "([+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+))(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?[0-9]{1,3}))?");
    private static final List<String> DECIMAL = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    /** Of the texts whose digits fit a long, with a sign. */
    private static final int LONGEST = 18;

    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    /** Empty when the text is no quantity. */
    public static Optional<Quantity> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String digits = matcher.group(1);
        boolean onlyDigits = digits.length() <= LONGEST && digits.indexOf('.') < 0;
        BigDecimal number = new BigDecimal(digits);
        if (matcher.group(2) != null) {
            int power = BINARY.indexOf(matcher.group(2));
            BigDecimal value = nano(number.multiply(KIBI.pow(power)));
            return Optional.of(new Quantity(value, onlyDigits ? scaled(number, power, 1024, BINARY) : binary(value)));
        }
        if (matcher.group(4) != null) {
            BigDecimal value = nano(number.scaleByPowerOfTen(Integer.parseInt(matcher.group(4))));
            return Optional.of(new Quantity(value, exponent(value)));
        }
        int suffix = matcher.group(3) == null ? 3 : DECIMAL.indexOf(matcher.group(3));
        BigDecimal value = nano(number.scaleByPowerOfTen(3 * (suffix - 3)));
        return Optional.of(new Quantity(value, onlyDigits ? scaled(number, suffix, 1000, DECIMAL) : decimal(value)));
    }

    /**
     * The canonical form of what is written most, digits before a suffix, without the cost of the general way.
     *
     * @param suffix among {@code suffixes}, each of which is {@code step} times the one before
     */
    private static String scaled(BigDecimal number, int suffix, long step, List<String> suffixes) {
        long left = number.longValue();
        int last = suffix;
        while (left != 0 && left % step == 0 && last < suffixes.size() - 1) {
            left /= step;
            last++;
        }
        return left == 0 ? "0" : left + suffixes.get(last);
    }

    /** The sum, written in the form of this one, or of the other when this is zero. */
    public Quantity plus(Quantity other) {
        return (value.signum() == 0 ? other : this).like(value.add(other.value));
    }

    /** The difference, written in the form of this one, or of the other when this is zero. */
    public Quantity minus(Quantity other) {
        return (value.signum() == 0 ? other : this).like(value.subtract(other.value));
    }

    private Quantity like(BigDecimal amount) {
        boolean binary = canonical.endsWith("i");
        return new Quantity(
                amount, binary ? binary(amount) : canonical.contains("e") ? exponent(amount) : decimal(amount));
    }

    private static BigDecimal nano(BigDecimal value) {
        return value.setScale(Math.min(value.scale(), 9), RoundingMode.UP);
    }

    private static boolean isInteger(BigDecimal value) {
        return value.stripTrailingZeros().scale() <= 0;
    }

    private static String decimal(BigDecimal value) {
        int power = power(value);
        return value.scaleByPowerOfTen(-power).stripTrailingZeros().toPlainString() + DECIMAL.get(power / 3 + 3);
    }

    private static String exponent(BigDecimal value) {
        int power = power(value);
        String number = value.scaleByPowerOfTen(-power).stripTrailingZeros().toPlainString();
        return power == 0 ? number : number + "e" + power;
    }

    /** The greatest power of a thousand that leaves an integer. */
    private static int power(BigDecimal value) {
        int power = 18;
        while (power > -9 && (value.signum() == 0 ? power > 0 : !isInteger(value.scaleByPowerOfTen(-power)))) {
            power -= 3;
        }
        return power;
    }

    /** Small amounts and broken ones read better in decimals. */
    private static String binary(BigDecimal value) {
        if (value.abs().compareTo(KIBI) < 0 || !isInteger(value)) {
            return decimal(value);
        }
        int power = 0;
        BigDecimal number = value;
        while (power < BINARY.size() - 1 && number.remainder(KIBI).signum() == 0) {
            number = number.divide(KIBI);
            power++;
        }
        return number.stripTrailingZeros().toPlainString() + BINARY.get(power);
    }
}
