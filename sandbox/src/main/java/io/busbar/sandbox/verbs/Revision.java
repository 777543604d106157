package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.syntax.GoText;

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
        try {
            return parsed(text);
        } catch (NumberFormatException e) {
            throw new StatusException(500, "", flaw(text), null);
        }
    }

    /** As lists do it: {@link #parse} with another refusal. */
    static long parseForList(String text) {
        try {
            return parsed(text);
        } catch (NumberFormatException e) {
            throw StatusException.badRequest("invalid resource version: " + flaw(text));
        }
    }

    private static long parsed(String text) {
        return text.isEmpty() ? 0 : Long.parseUnsignedLong(text);
    }

    private static String flaw(String text) {
        return "resourceVersion: Invalid value: " + GoText.quote(text) + ": strconv.ParseUint: parsing "
                + GoText.quote(text) + (text.matches("\\d+") ? ": value out of range" : ": invalid syntax");
    }

    /**
     * Whether an object names no version, which zero does neither.
     *
     * @throws StatusException 500 for a version that is none
     */
    static boolean absent(Metadata metadata) {
        String version = metadata.resourceVersion();
        if (!version.matches("\\d*")) {
            throw new StatusException(
                    500, "", "strconv.ParseUint: parsing " + GoText.quote(version) + ": invalid syntax", null);
        }
        return version.matches("0*");
    }
}
