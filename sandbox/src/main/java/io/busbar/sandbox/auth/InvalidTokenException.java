package io.busbar.sandbox.auth;

/** A bearer token that is refused; the message is that of a TokenReview. Immutable. */
final class InvalidTokenException extends RuntimeException {

    private static final String INVALID = "invalid bearer token";

    private InvalidTokenException(String message) {
        super(message, null, false, false);
    }

    /** Nobody knows it. */
    static InvalidTokenException unknown() {
        return new InvalidTokenException(INVALID);
    }

    /** It was ours, but no longer, or not for this. */
    static InvalidTokenException because(String reason) {
        return new InvalidTokenException("[" + INVALID + ", " + reason + "]");
    }
}
