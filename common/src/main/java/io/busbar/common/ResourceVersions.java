package io.busbar.common;

import java.util.OptionalInt;

/**
 * Compares resourceVersions where that means something.
 *
 * <p>Immutable. Source: since Kubernetes 1.35 they are promised to be integers that grow; with etcd they always were.
 */
public final class ResourceVersions {

    private ResourceVersions() {}

    /** Negative when the first is older; empty when either is not a number. */
    public static OptionalInt compare(String one, String other) {
        if (!isNumber(one) || !isNumber(other)) {
            return OptionalInt.empty();
        }
        int byLength = Integer.compare(one.length(), other.length());
        return OptionalInt.of(byLength != 0 ? byLength : Integer.signum(one.compareTo(other)));
    }

    /**
     * The newer one of two.
     *
     * @throws IllegalArgumentException when either is not a number
     */
    public static String newer(String one, String other) {
        int order = compare(one, other)
                .orElseThrow(() -> new IllegalArgumentException("no order between " + one + " and " + other));
        return order < 0 ? other : one;
    }

    /** Whether it has an order: a positive decimal number of any length, without leading zeros. */
    public static boolean isNumber(String version) {
        return !version.isEmpty() && version.charAt(0) != '0' && version.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
