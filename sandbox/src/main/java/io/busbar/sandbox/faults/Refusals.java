package io.busbar.sandbox.faults;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import java.time.Duration;

/** What a server in trouble says (apimachinery, {@code api/errors}). Any thread. */
final class Refusals {

    private static final String INJECTED = "a fault was injected";

    private Refusals() {}

    static StatusException of(int code, GroupResource resource, String name, Duration retryAfter) {
        return switch (code) {
            case 400 -> StatusException.badRequest(INJECTED);
            case 401 -> status(code, "Unauthorized", "Unauthorized", retryAfter);
            case 403 -> StatusException.forbidden(resource, name, INJECTED);
            case 404 -> StatusException.notFound(resource, name);
            case 409 -> StatusException.modified(resource, name);
            case 410 -> StatusException.expired("The resourceVersion for the provided list is too old.");
            case 429 -> status(code, "TooManyRequests", "Too many requests, please try again later.", retryAfter);
            case 500 -> StatusException.internal(INJECTED);
            case 503 ->
                status(code, "ServiceUnavailable", "the server is currently unable to handle the request", retryAfter);
            case 504 -> status(code, "Timeout", "Timeout: " + INJECTED, retryAfter);
            default -> status(code, "", INJECTED, retryAfter);
        };
    }

    private static StatusException status(int code, String reason, String message, Duration retryAfter) {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        if (!retryAfter.isZero()) {
            details.put("retryAfterSeconds", Math.max(1, retryAfter.toSeconds()));
        }
        return new StatusException(code, reason, message, details);
    }
}
