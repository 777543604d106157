package io.busbar.admission.patch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Equality of JSON values as RFC 6902 (section 4.6) has it: numbers by value, members in any order. Pure; any thread.
 */
public final class JsonEquality {

    private JsonEquality() {}

    /** A shortcut, since copies of a tree share their immutable nodes. */
    @SuppressWarnings("ReferenceEquality")
    static boolean identical(@Nullable JsonNode a, @Nullable JsonNode b) {
        return a == b;
    }

    public static boolean same(JsonNode a, JsonNode b) {
        if (identical(a, b)) {
            return true;
        }
        if (a.isNumber() && b.isNumber()) {
            return sameNumber(a, b);
        }
        if (a.getNodeType() != b.getNodeType() || a.size() != b.size()) {
            return false;
        }
        if (a.isObject()) {
            return sameMembers(a, b);
        }
        return a.isArray() ? sameElements(a, b) : a.equals(b);
    }

    private static boolean sameMembers(JsonNode a, JsonNode b) {
        for (Map.Entry<String, JsonNode> member : a.properties()) {
            JsonNode other = b.get(member.getKey());
            if (other == null || !same(member.getValue(), other)) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameElements(JsonNode a, JsonNode b) {
        for (int i = 0; i < a.size(); i++) {
            if (!same(a.get(i), b.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameNumber(JsonNode a, JsonNode b) {
        if (a.canConvertToLong() && b.canConvertToLong() && a.isIntegralNumber() && b.isIntegralNumber()) {
            return a.longValue() == b.longValue();
        }
        return a.equals(b) || a.decimalValue().compareTo(b.decimalValue()) == 0;
    }
}
