package io.busbar.sandbox.wire;

/** Bytes that are no object. */
public final class WireException extends RuntimeException {

    private static final long serialVersionUID = 1;

    WireException(String message) {
        super(message, null, false, false);
    }
}
