package io.busbar.common.api;

import io.busbar.common.guard.Thrown;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

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

    /**
     * What to tell a person of any failure: of a call to the API server, what the server said, or why it could not be
     * asked.
     */
    static String reason(Throwable failure) {
        if (failure instanceof KubernetesClientException call) {
            return of(call).message();
        }
        return Thrown.messageOrText(failure);
    }

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
        int code = Math.max(0, failure.getCode()); // the client says −1 where there was no answer
        if (status != null && status.getMessage() != null) {
            return of(code, status.getMessage());
        }
        if (code == 0 && failure.getCause() != null) {
            return noAnswer(failure.getCause());
        }
        return of(code, Thrown.messageOrText(failure));
    }

    /** Whether a write was refused since the namespace is being deleted: nothing can be made there any more. */
    static boolean isOfEndingNamespace(KubernetesClientException refused) {
        return Optional.ofNullable(refused.getStatus())
                .map(Status::getDetails)
                .map(StatusDetails::getCauses)
                .filter(causes -> causes.stream().anyMatch(cause -> "NamespaceTerminating".equals(cause.getReason())))
                .isPresent();
    }

    /** The call ended as this says, and not with an answer. */
    static Unavailable noAnswer(Throwable why) {
        Throwable telling = why;
        for (Throwable cause = why.getCause();
                cause != null && isOnlyAround(cause, telling);
                cause = cause.getCause()) {
            telling = cause;
        }
        return new Unavailable(0, told(telling));
    }

    private static boolean isOnlyAround(Throwable cause, Throwable failure) {
        return failure instanceof CompletionException
                || failure instanceof ExecutionException
                || failure instanceof KubernetesClientException
                || (failure.getClass() == IOException.class && addsNothing(Thrown.message(failure), cause));
    }

    private static boolean addsNothing(@Nullable String message, Throwable cause) {
        return message == null || message.equals(Thrown.message(cause)) || message.equals(Thrown.text(cause));
    }

    /** In words, where the exception has none. */
    private static String told(Throwable failure) {
        String message = Thrown.message(failure);
        if (message != null) {
            return failure.getClass().getSimpleName() + ": " + message;
        }
        if (failure instanceof ConnectException) {
            return failure.getCause() instanceof UnresolvedAddressException ? "unknown host" : "cannot connect";
        }
        if (failure instanceof TimeoutException) {
            return "no answer";
        }
        return failure instanceof InterruptedException
                ? "interrupted"
                : failure.getClass().getSimpleName();
    }
}
