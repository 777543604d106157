package io.busbar.common.api;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;

/**
 * A failed call to the API server, by remedy.
 *
 * <p>Immutable.
 */
public sealed interface ApiFailure {

    /** HTTP status; 0 when there was no answer. */
    int code();

    /** What the server said, or why it could not be asked. */
    String message();

    /** The object is not there (404). Nothing to do, or create it. */
    record NotFound(int code, String message) implements ApiFailure {}

    /** Somebody else was first (409): read again and decide anew. */
    record Conflict(int code, String message) implements ApiFailure {}

    /** The request itself is refused (400, 401, 403, 405, 413, 415, 422): only a person can help. */
    record Rejected(int code, String message) implements ApiFailure {}

    /** The resourceVersion or the continue token is too old (410): list again. */
    record Gone(int code, String message) implements ApiFailure {}

    /** The server is away, overloaded or broken (none, 408, 429, 5xx): try again later. */
    record Unavailable(int code, String message) implements ApiFailure {}

    static ApiFailure of(int code, String message) {
        return switch (code) {
            case 404 -> new NotFound(code, message);
            case 409 -> new Conflict(code, message);
            case 410 -> new Gone(code, message);
            case 408, 429 -> new Unavailable(code, message);
            default -> code >= 400 && code < 500 ? new Rejected(code, message) : new Unavailable(code, message);
        };
    }

    static ApiFailure of(KubernetesClientException failure) {
        Status status = failure.getStatus();
        String message = status != null && status.getMessage() != null ? status.getMessage() : failure.getMessage();
        int code = Math.max(0, failure.getCode()); // the client says −1 where there was no answer
        return of(code, message == null ? failure.toString() : message);
    }
}
