package io.busbar.admission.conversion;

/** An object that cannot be had in the version that was asked for; the message names it and says why. */
public final class UnconvertibleException extends Exception {

    private static final long serialVersionUID = 1L;

    UnconvertibleException(String message) {
        super(message, null, false, false);
    }
}
