package io.busbar.operator.mysqlcluster.version;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A version as images are tagged with. In YAML {@code 8.0} without quotes is a number and reaches the API server as 8.
 *
 * <p>Immutable.
 *
 * @param text such as {@code 8.0}
 * @param lostDigits whether it was a number that may have ended in zeros
 */
public record ServerVersion(String text, boolean lostDigits) {

    /** What a new cluster gets that names none: one that the tests have run. */
    public static final ServerVersion OF_NEW_CLUSTERS = new ServerVersion("9.7", false);

    /**
     * What is meant where nothing is said: clusters that are older than the webhook that writes one have this one, and
     * keep it.
     */
    private static final ServerVersion UNSAID = new ServerVersion("8.4", false);

    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");

    /**
     * @param version text, a number, or nothing
     * @throws IllegalArgumentException when it cannot be the tag of an image
     */
    public static ServerVersion of(@Nullable Object version) {
        if (version == null) {
            return UNSAID;
        }
        if (version instanceof Number number) {
            return of(new BigDecimal(number.toString()).stripTrailingZeros());
        }
        if (version instanceof String text && TAG.matcher(text).matches()) {
            return new ServerVersion(text, false);
        }
        throw new IllegalArgumentException("must be a version such as \"8.0\", in quotes");
    }

    /** 8 was 8.0, most likely; 10.1 may have been 10.10. */
    private static ServerVersion of(BigDecimal number) {
        if (number.signum() <= 0) {
            throw new IllegalArgumentException("must be a version such as \"8.0\", in quotes");
        }
        return number.scale() <= 0
                ? new ServerVersion(number.toPlainString() + ".0", true)
                : new ServerVersion(number.toPlainString(), number.intValue() >= 10 && number.scale() == 1);
    }
}
