package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.StatusException;

/** Reads resourceVersions that clients send. */
public final class Revision {

    private Revision() {}

    /** @throws StatusException 504 for a revision that is yet to come */
    public static void checkReached(long wanted, long current) {
        if (wanted <= current) {
            return;
        }
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        details.putArray("causes")
                .addObject()
                .put("reason", "ResourceVersionTooLarge")
                .put("message", "Too large resource version");
        details.put("retryAfterSeconds", 1);
        throw new StatusException(
                504, "Timeout", "Timeout: Too large resource version: " + wanted + ", current: " + current, details);
    }

    /** @return 0 for an empty text */
    public static long parse(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw new StatusException(
                    500,
                    "",
                    "resourceVersion: Invalid value: \"" + text + "\": strconv.ParseUint: parsing \"" + text
                            + "\": invalid syntax",
                    null);
        }
    }
}
