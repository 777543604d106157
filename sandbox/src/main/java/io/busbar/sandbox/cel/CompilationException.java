package io.busbar.sandbox.cel;

/** An expression that cannot be; the message is for who wrote it. */
public final class CompilationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    CompilationException(String message) {
        super(message, null, false, false);
    }
}
