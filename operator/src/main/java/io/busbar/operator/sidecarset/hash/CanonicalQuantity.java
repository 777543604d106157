package io.busbar.operator.sidecarset.hash;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A resource quantity in the spelling that the API server gives it: {@code 1000m} is {@code 1}, {@code 1024Mi} is
 * {@code 1Gi}.
 *
 * <p>Immutable. Source: apimachinery's {@code resource.Quantity}: no fraction if possible, the largest suffix of the
 * same kind (decimal, binary, exponent) that allows that, and nothing finer than a billionth.
 */
public final class CanonicalQuantity {

    private static final Pattern SYNTAX =
            Pattern.compile("([+-]?)(\\d+\\.?\\d*|\\.\\d+)(|[numkMGTPE]|[KMGTPE]i|[eE][+-]?\\d{1,3})");
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
    private static final BigDecimal MAX_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final String BINARY = "KMGTPE";
    private static final Map<Integer, String> DECIMAL =
            Map.of(-9, "n", -6, "u", -3, "m", 0, "", 3, "k", 6, "M", 9, "G", 12, "T", 15, "P", 18, "E");

    private enum Format {
        DECIMAL,
        BINARY,
        EXPONENT
    }

    private final BigDecimal value;
    private final Format format;

    private CanonicalQuantity(BigDecimal value, Format format) {
        this.value = value;
        this.format = format;
    }

    /** Empty for what is not a quantity. */
    public static Optional<CanonicalQuantity> parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        BigDecimal number = new BigDecimal(matcher.group(2));
        String suffix = matcher.group(3);
        Format format = suffix.endsWith("i") ? Format.BINARY : suffix.length() > 1 ? Format.EXPONENT : Format.DECIMAL;
        BigDecimal value = switch (format) {
            case BINARY ->
                number.multiply(KIBI.pow(BINARY.indexOf(suffix.charAt(0)) + 1)).min(MAX_BINARY);
            case EXPONENT -> number.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1)));
            case DECIMAL -> number.scaleByPowerOfTen(exponentOf(suffix));
        };
        return Optional.of(
                new CanonicalQuantity(matcher.group(1).equals("-") ? value.negate() : value, format).roundedUp(9));
    }

    private static int exponentOf(String suffix) {
        return DECIMAL.entrySet().stream()
                .filter(entry -> entry.getValue().equals(suffix))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    /** The canonical spelling, or the text itself where it is no quantity. */
    static String spelled(String text, int decimals) {
        return parse(text)
                .map(quantity -> quantity.roundedUp(decimals).toString())
                .orElse(text);
    }

    /** Another value in the same kind of spelling. */
    public CanonicalQuantity with(BigDecimal other) {
        return new CanonicalQuantity(other, format);
    }

    /** In the decimal kind of spelling. */
    public static CanonicalQuantity decimal(BigDecimal value) {
        return new CanonicalQuantity(value, Format.DECIMAL);
    }

    /** Without more than so many decimals, away from zero. */
    public CanonicalQuantity roundedUp(int decimals) {
        return value.scale() <= decimals
                ? this
                : new CanonicalQuantity(value.setScale(decimals, RoundingMode.UP), format);
    }

    public BigDecimal value() {
        return value;
    }

    @Override
    public String toString() {
        if (value.signum() == 0) {
            return "0";
        }
        boolean small = value.abs().compareTo(KIBI) < 0;
        boolean whole = value.stripTrailingZeros().scale() <= 0;
        return format == Format.BINARY && whole && !small ? binary(value.toBigIntegerExact()) : decimal();
    }

    private static String binary(BigInteger value) {
        int times = Math.min(value.getLowestSetBit() / 10, BINARY.length());
        return value.shiftRight(10 * times) + (times == 0 ? "" : BINARY.charAt(times - 1) + "i");
    }

    private String decimal() {
        BigDecimal plain = value.stripTrailingZeros();
        int exponent = Math.floorDiv(-plain.scale(), 3) * 3;
        String mantissa = plain.scaleByPowerOfTen(-exponent).toBigIntegerExact().toString();
        if (format == Format.EXPONENT || !DECIMAL.containsKey(exponent)) {
            return exponent == 0 ? mantissa : mantissa + "e" + exponent;
        }
        return mantissa + DECIMAL.get(exponent);
    }
}
