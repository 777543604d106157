package io.busbar.sandbox.patch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Equality of JSON values: numbers by value, whatever their Java type.
 *
 * <p>Any thread.
 */
public final class Equality {

    private static final Comparator<JsonNode> BY_VALUE = (a, b) -> {
        if (a.equals(b)) {
            return 0;
        }
        return a.isNumber() && b.isNumber() ? a.decimalValue().compareTo(b.decimalValue()) : 1;
    };

    private Equality() {}

    /** Null equals only null. */
    public static boolean equal(@Nullable JsonNode a, @Nullable JsonNode b) {
        return a == null ? b == null : b != null && a.equals(BY_VALUE, b);
    }
}
