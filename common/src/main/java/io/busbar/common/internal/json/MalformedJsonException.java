package io.busbar.common.internal.json;

/** A text that is no JSON; the message says why, and where. */
public final class MalformedJsonException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MalformedJsonException(String message) {
        super(message, null, false, false);
    }
}
