package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Whether a value holds all of another: what others have added to it, such as defaults of the API server or the mount
 * of a token, does not matter.
 *
 * <p>Immutable.
 */
final class Containment {

    private Containment() {}

    /** Null, {@code {}} and {@code []} are the same as absent; the items of a list may have others between them. */
    static boolean holds(JsonNode value, JsonNode part) {
        if (part.isObject()) {
            for (var member : part.properties()) {
                if (!holds(value.path(member.getKey()), member.getValue())) {
                    return false;
                }
            }
            return true;
        }
        if (part.isArray()) {
            int at = 0;
            for (JsonNode item : value) {
                if (at < part.size() && holds(item, part.get(at))) {
                    at++;
                }
            }
            return at == part.size();
        }
        return part.isNull() || value.equals(part);
    }
}
